"""In the guest: every scenario named, each in a process of its own.   all.py SCRIPT:SCENARIO …

What they import is imported once, before they part: an emulated machine takes seconds for it. lgpio
is not among it, for its thread would not be there any more after parting.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import sys
import traceback

LIMIT_S = 600


def part(script: str, scenario: str) -> int:
    """Run a scenario in a child; its exit code, negative if a signal ended it."""
    main = importlib.import_module(script).main
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    sys.argv = [script, scenario]
    signal.alarm(LIMIT_S)
    try:
        main()
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)
    os._exit(0)


def main() -> None:
    for job in sys.argv[1:]:
        script, scenario = job.split(":")
        code = part(script, scenario)
        if code:
            print(json.dumps({"scenario": scenario, "failed": code}), flush=True)
        assert "lgpio" not in sys.modules


if __name__ == "__main__":
    main()
