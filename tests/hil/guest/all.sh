#!/bin/bash
# In the guest: every scenario named, each in a process of its own.   all.sh PYTHON [SCRIPT:SCENARIO …]
python=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
for job in "$@"; do
  timeout 600 "$python" "$here/${job%%:*}.py" "${job#*:}" || echo "{\"scenario\": \"${job#*:}\", \"failed\": $?}"
done
