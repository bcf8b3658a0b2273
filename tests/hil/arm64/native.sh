#!/bin/bash
# The same reading on this machine.   native.sh PYTHON WORD …
here=$(cd "$(dirname "$0")" && pwd)
export PYTHONPATH="$here/../../.."
exec nice -n 15 "$1" "$here/read.py" "${@:2}"
