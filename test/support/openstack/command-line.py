"""Runs Debian's `openstack` for the tests: loaded once, and forked for each command, which then is a process of its own.

Reads one command per line, {"arguments": [...], "environment": {...}}, and answers each with one line,
{"code": 0, "stdout": "...", "stderr": "..."}.
"""
import contextlib
import importlib
import json
import os
import sys
import tempfile
import traceback

from cliff import command as cliff_command
from openstackclient import shell


def main():
    # It looks at every package of the machine, and remembers the result.
    cliff_command._get_distributions_by_modules()
    for line in sys.stdin:
        command = json.loads(line)
        with contextlib.ExitStack() as files:
            stdout, stderr, loaded = (files.enter_context(tempfile.TemporaryFile()) for _ in range(3))
            child = os.fork()
            if child == 0:
                become_openstack(command, stdout, stderr, loaded)
            _, status = os.waitpid(child, 0)
            answer = {'code': os.waitstatus_to_exitcode(status), 'stdout': text_of(stdout), 'stderr': text_of(stderr)}
            load(text_of(loaded).split())
        print(json.dumps(answer), flush=True)


def become_openstack(command, stdout, stderr, loaded):
    """Does what /usr/bin/openstack does, and ends."""
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(stdout.fileno(), 1)
    os.dup2(stderr.fileno(), 2)
    os.environ.update(command['environment'])
    sys.argv = ['openstack', *command['arguments']]
    before = set(sys.modules)
    try:
        code = shell.main(command['arguments'])
    except SystemExit as end:
        code = end.code
    except BaseException:
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os.write(loaded.fileno(), '\n'.join(set(sys.modules) - before).encode())
    os._exit(code if isinstance(code, int) else 0 if code is None else 1)


def load(modules):
    """What a command had to load is there for the next one: most of its time goes into that."""
    for name in modules:
        with contextlib.suppress(Exception):
            importlib.import_module(name)


def text_of(file):
    file.seek(0)
    return file.read().decode()


main()
