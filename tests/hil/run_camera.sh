#!/bin/bash
# Takes frames with this project's PiCamera from libcamera's virtual camera.
#   run_camera.sh SECONDS FRAMES FOLDER    FOLDER: as seen in the camera's root
source "$(dirname "$0")/common.sh"
root=$cache/camera
[ -e "$root/complete" ] || refuse "no camera root: run tests/hil/setup.sh camera"
exec nice -n 10 timeout -k 5 "$1" "$here/in_root.sh" "$root" env LD_PRELOAD=/opt/buffers.so \
  LIBCAMERA_LOG_LEVELS='*:ERROR' PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=/project \
  /opt/box/bin/python /project/tests/hil/camera/capture.py "$2" "$3"
