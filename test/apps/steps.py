"""Runs the steps of a scenario in Python and reports each in one line.

A step is a function; what it returns is its result. The lines are

    NAME = RESULT
    NAME ! ERROR

of which the second says that the step was not to fail and did.
"""

import json
import sys
import traceback

_steps = []


def step(function):
    """Makes a function a step, in the order in which steps are written."""
    _steps.append(function)
    return function


def _plain(value):
    """What JSON has no form for, as text that tells its type."""
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    if isinstance(value, (bytes, memoryview)):
        return bytes(value).hex()
    return f"{type(value).__name__} {value}"


def run():
    """Runs all steps and returns the exit status: 1 if one failed."""
    status = 0
    for one in _steps:
        name = one.__name__.replace("_", "-")
        try:
            print(f"{name} = {json.dumps(one(), default=_plain, sort_keys=True)}")
        except Exception as e:  # a step's end is the scenario's business, whatever it is
            status = 1
            print(f"{name} ! {type(e).__name__}: {' '.join(str(e).split())}")
            traceback.print_exc()
        sys.stdout.flush()
    return status


def error_of(kind, function):
    """The number of the server's error that a call ends with, and nothing else of it."""
    try:
        function()
    except kind as e:
        original = getattr(e, "orig", e)
        return f"{type(e).__name__} {original.args[0]}"
    return "no error"
