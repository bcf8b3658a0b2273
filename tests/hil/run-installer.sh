#!/usr/bin/env bash
# Installs, updates and removes the box in a clean Debian root: run-installer.sh trixie|bookworm
# Needs root, debootstrap and the package servers. The root is made once in $REFEREE_HIL (4 minutes)
# and never changed: every run works in a layer above it that is thrown away.
set -euo pipefail
suite=${1:?trixie or bookworm}
checkout=$(cd "$(dirname "$0")/../.." && pwd)
cache=${REFEREE_HIL:-${XDG_CACHE_HOME:-$HOME/.cache}/referee-hil}
base=$cache/installer-$suite

if [ ! -e "$base/hil-ready" ]; then
  mkdir -p "$cache"
  mirror=$(awk '/^URIs:/ {print $2; exit}' /etc/apt/sources.list.d/*.sources)
  rm -rf "$base"
  debootstrap --variant=minbase --include=ca-certificates,systemd "$suite" "$base" "$mirror" >&2
  cp /usr/local/share/ca-certificates/*.crt "$base/usr/local/share/ca-certificates/" 2>/dev/null || true
  chroot "$base" update-ca-certificates >/dev/null
  touch "$base/hil-ready"
fi

work=$(mktemp -d -p "$cache")
mkdir "$work"/{upper,layer,root}
trap 'rm -rf "$work"' EXIT
export base work checkout suite
# A mount namespace of its own: nothing stays mounted, whatever happens.
unshare --mount bash -euo pipefail <<'INSIDE'
mount -t overlay overlay -o "lowerdir=$base,upperdir=$work/upper,workdir=$work/layer" "$work/root"
mount -t proc proc "$work/root/proc"
mount --rbind /dev "$work/root/dev"
cp /etc/resolv.conf "$work/root/etc/resolv.conf"
printf '#!/bin/sh\nexit 101\n' >"$work/root/usr/sbin/policy-rc.d" # no service is started in here
chmod +x "$work/root/usr/sbin/policy-rc.d"
mkdir "$work/root/src"
(cd "$checkout" && git ls-files -z | tar -c --null -T -) | tar -x -C "$work/root/src"

inside() {
  env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
    PIP_CERT=/etc/ssl/certs/ca-certificates.crt chroot "$work/root" "$@"
}
expect() { "$@" || { echo "NOT SO: $*" >&2; tail -n 30 "$work/root/var/log/referee-install.log" >&2; exit 1; }; }

echo "== refused on a computer that is no Pi"
code=0
inside /src/systemd/install.sh || code=$?
expect [ "$code" -eq 2 ]
expect [ ! -e "$work/root/opt/referee" ]

echo "== installed"
expect inside /src/systemd/install.sh --no-hardware
expect inside systemd-analyze verify /etc/systemd/system/referee.service
expect inside runuser -u referee -- sh -c 'cd / && referee --help >/dev/null'
inside runuser -u referee -- sh -c 'cd / && referee doctor --json' >"$work/doctor.json" || true
expect grep -q '"name": "gpiozero", *"state": "green"' <(tr -d '\n' <"$work/doctor.json")
expect grep -q '"name": "OpenCV", *"state": "green"' <(tr -d '\n' <"$work/doctor.json")
expect grep -q '"name": "pins", *"state": "green"' <(tr -d '\n' <"$work/doctor.json")
if [ "$suite" = bookworm ]; then
  expect [ "$(inside /opt/referee/current/venv/bin/python -c 'import numpy; print(numpy.__version__[0])')" = 1 ]
fi

echo "== installed again"
expect inside /src/systemd/install.sh --no-hardware
expect [ "$(ls "$work/root/opt/referee/releases" | wc -l)" -eq 2 ]

echo "== updated"
mkdir -p "$work/root/var/lib/referee" && echo games >"$work/root/var/lib/referee/season"
expect inside /src/systemd/update.sh
expect [ "$(ls "$work/root/opt/referee/releases" | wc -l)" -eq 3 ]

echo "== back to the release before"
before=$(inside readlink /opt/referee/current)
expect inside /src/systemd/update.sh --back
expect [ "$(inside readlink /opt/referee/current)" != "$before" ]
expect [ "$(inside readlink /opt/referee/current)" = "$(inside sh -c 'ls -d /opt/referee/releases/* | sed -n 2p')" ]
expect inside runuser -u referee -- sh -c 'cd / && referee --help >/dev/null'
expect [ "$(cat "$work/root/var/lib/referee/season")" = games ]

echo "== removed"
expect inside /opt/referee/current/systemd/uninstall.sh
expect [ ! -e "$work/root/opt/referee" ]
expect [ "$(cat "$work/root/var/lib/referee/season")" = games ]
expect inside /src/systemd/uninstall.sh --purge
expect [ ! -e "$work/root/var/lib/referee" ]
expect [ -z "$(inside getent passwd referee)" ]
echo "installer: good on $suite"
INSIDE
