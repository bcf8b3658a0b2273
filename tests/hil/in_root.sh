#!/bin/bash
# Runs a command in a root of its own, with this project at /project (read-only).
#   in_root.sh ROOT COMMAND [WORD …]
source "$(dirname "$0")/common.sh"
mkdir -p "$1/project"
exec unshare -m sh -c '
  root=$1 project=$2; shift 2
  mount -t proc proc "$root/proc"; mount --bind /dev "$root/dev"
  mount --bind "$project" "$root/project"; mount -o remount,bind,ro "$root/project"
  exec chroot "$root" "$@"' - "$1" "$repository" "${@:2}"
