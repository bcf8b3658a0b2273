#!/bin/bash
# The Pi's architecture: Debian's arm64 Python with this project and its aarch64 wheels, for qemu-user.
#   setup_arm64.sh PYTHON    about 40 s and 350 MB; later only this project is installed anew
source "$(dirname "$0")/common.sh"
python=${1:-python3}
arm=$cache/arm64
install_project() { # the wheel as it is now, without what it depends on
  rm -rf "$arm/packages"
  nice -n 10 "$python" -m pip wheel -q --no-deps --wheel-dir "$arm/packages" "$repository"
  rm -rf "$arm"/site/{referee,hardware,models,referee_box-*}
  nice -n 10 "$python" -m pip install -q --no-compile --no-deps --target "$arm/site" "$arm"/packages/referee_box-*.whl
  rm -rf "$arm/packages"
}
[ ! -e "$arm/complete" ] || { install_project; exit 0; }
rm -rf "$arm"
mkdir -p "$arm"
apt_of bookworm arm64 apt-get -y --no-install-recommends --download-only install python3 libstdc++6 libgomp1 >&2
unpack "$arm/root" "$cache"/apt-bookworm-arm64/archives/*.deb  # not configured: enough for Python
# Debian 12's own qemu-user is too old for onnxruntime; this one is a static program.
mkdir -p "$arm/packages"
(cd "$arm/packages" && apt_of trixie amd64 apt-get download qemu-user)
unpack "$arm/qemu" "$arm"/packages/*.deb
find "$arm/qemu" -type f ! -name qemu-aarch64 -delete
nice -n 10 "$python" -m pip wheel -q --no-deps --wheel-dir "$arm/packages" "$repository"
platforms=()
for version in 2_17 2_26 2_27 2_28 2_31 2_34; do platforms+=(--platform "manylinux_${version}_aarch64"); done
# pip decides by this machine, not by the wheels' one, which extras apply: so they are named here.
nice -n 10 "$python" -m pip install -q --no-compile --target "$arm/site" --only-binary=:all: \
  --python-version 3.11 --implementation cp "${platforms[@]}" --platform manylinux2014_aarch64 \
  "$arm"/packages/referee_box-*.whl onnxruntime "lgpio>=0.2.2.0" "smbus2>=0.5"
install_project
rm -rf "$arm/packages" "$cache"/apt-{bookworm-arm64,trixie-amd64}
touch "$arm/complete"
say "arm64: $(find "$arm/site" -maxdepth 1 -name '*.dist-info' | wc -l) packages"
