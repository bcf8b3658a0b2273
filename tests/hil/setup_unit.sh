#!/bin/bash
# A Debian 13 with systemd in which install.sh has put the box, on top of the camera's root.
#   setup_unit.sh    as root; about 5 minutes and 2 GB; later only this project is installed anew
source "$(dirname "$0")/common.sh"
[ "$(id -u)" = 0 ] || refuse "making a Debian root needs root: sudo tests/hil/setup.sh unit"
needs systemd-nspawn systemd-container unshare util-linux
[ -e "$cache/camera/complete" ] || "$here/setup_camera.sh"
root=$cache/unit
inside() { env -u PIP_FIND_LINKS DEBIAN_FRONTEND=noninteractive nice -n 10 "$here/in_root.sh" "$root" "$@"; }
if [ ! -e "$root/complete" ]; then
  rm -rf "$root"
  cp -a "$cache/camera" "$root"
  rm "$root/complete"
  inside apt-get -qq update
  inside apt-get -qq install -y --no-install-recommends systemd dbus udev >&2
  inside /project/systemd/install.sh --no-hardware >&2
  rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/*
  touch "$root/complete"
  say "the box is installed"
  exit 0
fi
# The project is read-only in there; its files are built beside it.
rm -rf "$root/tmp/project"
mkdir "$root/tmp/project"
(cd "$repository" && git ls-files -z | tar -c --null --ignore-failed-read -T -) | tar -x -C "$root/tmp/project"
pip() { inside /opt/referee/current/venv/bin/pip install -q --root-user-action=ignore "$@" /tmp/project; }
pip                              # what it depends on now
pip --no-deps --force-reinstall  # and itself
rm -rf "$root/tmp/project"
install -m 644 "$repository/systemd/referee.service" "$root/etc/systemd/system/"
