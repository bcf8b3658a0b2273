#!/bin/bash
# Sets up what the tests here need; each part can be had alone, and again.
#   setup.sh [guest] [camera] [arm64] [unit]    default: all; $PYTHON: the interpreter that runs the tests
source "$(dirname "$0")/common.sh"
[ $# -gt 0 ] || set -- guest camera arm64 unit
for part in "$@"; do
  case $part in
    guest | arm64) "$here/setup_$part.sh" "${PYTHON:-python3}" ;;
    camera | unit) "$here/setup_$part.sh" ;;
    *) refuse "no such part: $part, expected guest, camera, arm64 or unit" ;;
  esac
done
