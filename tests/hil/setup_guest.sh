#!/bin/bash
# A guest machine with simulated lines: Debian's backports kernel for trixie, the first stock one
# with gpio-sim (i2c-stub is in it, too), with an initramfs of our own. Its root is this machine's own.
#   setup_guest.sh PYTHON    about 20 s and 140 MB; does nothing when it is there
source "$(dirname "$0")/common.sh"
python=${1:-python3}
needs qemu-system-x86_64 qemu-system-x86 busybox busybox-static cpio cpio modprobe kmod xz xz-utils
# lgpio and smbus2 are extras of a Pi; here they are for the guest only.
[ -e "$cache/site/lgpio.py" ] || nice -n 10 "$python" -m pip install -q --only-binary=:all: \
  --target "$cache/site" "lgpio>=0.2.2.0" "smbus2>=0.5"
[ ! -s "$cache/guest/version" ] || exit 0

guest=$cache/guest
rm -rf "$guest"
mkdir -p "$guest/packages"
backports() { apt_of trixie-backports amd64 "$@"; }
image=$(backports apt-cache depends linux-image-amd64 |
  awk '$1 == "Depends:" && $2 ~ /^linux-image-[0-9]/ {print $2; exit}')
version=${image#linux-image-}
# Newer images are split into a part with the kernel and one with its modules.
parts=$(backports apt-cache depends "$image" |
  awk '$1 == "Depends:" && $2 ~ /^linux-(base|binary|modules)-[0-9]/ {print $2}')
(cd "$guest/packages" && backports apt-get download ${parts:-$image})
unpack "$guest/unpacked" "$guest"/packages/*.deb
modules=$(find "$guest/unpacked" -type d -path "*/modules/$version" | head -1)
mkdir -p "$guest/lib/modules"
mv "$modules" "$guest/lib/modules/"
kernel=$(find "$guest/lib/modules/$version" "$guest/unpacked" -name 'vmlinuz*' | head -1)
cp "$kernel" "$guest/vmlinuz"
depmod -b "$guest" "$version"

start=$guest/start
mkdir -p "$start"/{bin,modules,proc,sys,dev,below,above,root}
cp "$(command -v busybox)" "$start/bin/busybox"
install -m 755 "$here/guest/start" "$start/init"
for module in 9p 9pnet_virtio overlay; do
  modprobe -d "$guest" -S "$version" --show-depends "$module" | awk '$1 == "insmod" {print $2}'
done | awk '!seen[$0]++' | while read -r file; do
  number=$(find "$start/modules" -type f | wc -l)
  name=$(printf '%02d-%s' "$number" "$(basename "$file" .xz)")
  case $file in *.xz) xz -dc "$file" ;; *) cat "$file" ;; esac > "$start/modules/$name"
done
(cd "$start" && find . | cpio -o -H newc --quiet | gzip -1) > "$guest/initrd"
rm -rf "$guest"/{packages,unpacked,start} "$cache"/apt-trixie-backports-amd64
echo "$version" > "$guest/version"
say "guest with Linux $version"
