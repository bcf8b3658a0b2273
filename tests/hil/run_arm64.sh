#!/bin/bash
# Runs a Python script on the emulated architecture of a Pi 4. The script must not start programs.
#   run_arm64.sh SECONDS SCRIPT [WORD …]
source "$(dirname "$0")/common.sh"
arm=$cache/arm64
[ -e "$arm/complete" ] || refuse "no arm64 Python: run tests/hil/setup.sh arm64"
limit=$1
shift
export PYTHONPATH="$arm/site" PYTHONDONTWRITEBYTECODE=1
exec nice -n 10 timeout -k 5 "$limit" "$arm/qemu/usr/bin/qemu-aarch64" -L "$arm/root" -cpu cortex-a72 \
  "$arm/root/usr/bin/python3.11" "$@"
