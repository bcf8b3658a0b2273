#!/bin/bash
# Draws a game for the virtual camera.   render.sh PYTHON FRAMES_FOLDER CONFIGURATION SEED SECONDS
here=$(cd "$(dirname "$0")" && pwd)
export PYTHONPATH="$here/../../.."
exec nice -n 15 "$1" "$here/render.py" "${@:2}"
