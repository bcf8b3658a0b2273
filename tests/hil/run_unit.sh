#!/bin/bash
# Boots systemd in a container with the installed box and asks questions about its service.
#   run_unit.sh SECONDS    as root; what is changed in there is forgotten
source "$(dirname "$0")/common.sh"
[ "$(id -u)" = 0 ] || refuse "a container needs root"
root=$cache/unit
[ -e "$root/complete" ] || refuse "no root with the box: run tests/hil/setup.sh unit"
answer=$(mktemp -d)
trap 'rm -rf "$answer"' EXIT
nice -n 10 timeout -k 5 "$1" systemd-nspawn -q -D "$root" --volatile=overlay --register=no --keep-unit \
  --private-network --bind="$answer:/hil" --bind-ro="$here/unit:/unit" --bind-ro="$repository:/project" -M "referee-hil-$$" --console=pipe \
  /unit/first </dev/null >"$answer/console" 2>&1 || say "the container was stopped (limit $1 s)"
cat "$answer/printed" 2>/dev/null || { cat "$answer/console" >&2; exit 125; }
cat "$answer/errors" "$answer/journal" >&2 2>/dev/null || true
