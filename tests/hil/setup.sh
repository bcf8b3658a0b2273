#!/bin/bash
# Sets up what the tests here need; each part can be had alone, and again.
#   setup.sh [guest] [camera] [arm64]    default: all; $PYTHON: the interpreter that runs the tests
source "$(dirname "$0")/common.sh"
[ $# -gt 0 ] || set -- guest camera arm64
for part in "$@"; do
  case $part in
    guest | arm64) "$here/setup_$part.sh" "${PYTHON:-python3}" ;;
    camera) "$here/setup_camera.sh" ;;
    *) refuse "no such part: $part, expected guest, camera or arm64" ;;
  esac
done
