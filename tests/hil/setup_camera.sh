#!/bin/bash
# A Debian 13 root with libcamera's virtual camera and picamera2 from PyPI, both unchanged.
#   setup_camera.sh    as root; about 2 minutes and 1.3 GB; does nothing when it is there
source "$(dirname "$0")/common.sh"
[ "$(id -u)" = 0 ] || refuse "making a Debian root needs root: sudo tests/hil/setup.sh camera"
needs debootstrap debootstrap unshare util-linux
root=$cache/camera
[ ! -e "$root/complete" ] || exit 0
rm -rf "$root"
nice -n 10 debootstrap --variant=minbase --include=ca-certificates trixie "$root" "$(mirror)" >&2
cp /etc/resolv.conf "$root/etc/" 2>/dev/null || true
# A network may have a certificate of its own.
cp /usr/local/share/ca-certificates/*.crt "$root/usr/local/share/ca-certificates/" 2>/dev/null || true
inside() { env -u PIP_FIND_LINKS DEBIAN_FRONTEND=noninteractive nice -n 10 "$here/in_root.sh" "$root" "$@"; }
inside update-ca-certificates >/dev/null 2>&1
inside apt-get -qq update
# picamera2's python-prctl and PiDNG have no wheels: they want a compiler and these headers.
inside apt-get -qq install -y --no-install-recommends python3 python3-venv python3-libcamera \
  libcamera-ipa gcc libc6-dev python3-dev libcap-dev >&2
inside python3 -m venv --system-site-packages /opt/box
inside /opt/box/bin/pip install -q picamera2 opencv-python-headless "pillow<14"
install -D -m 644 "$here/camera/buffers.c" "$root/opt/buffers.c"
inside gcc -shared -fPIC -O2 -Wall -Werror -o /opt/buffers.so /opt/buffers.c -ldl
rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/*
touch "$root/complete"
say "camera root with libcamera $(inside dpkg-query -W -f '${Version}' python3-libcamera)"
