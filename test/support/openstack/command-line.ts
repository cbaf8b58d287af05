import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { join } from 'node:path';
import { spawnTied } from '../children.js';
import type { Program } from '../run-program.js';
import { environmentAt, type Outcome, PYTHON, PYTHON_PACKAGES } from './debian.js';

/** The `openstack` command line with the commands of its dns plugin. */
export const COMMAND_LINE: Program = {
  name: 'openstack (the command line)',
  needs: {
    '/usr/bin/openstack': 'python3-openstackclient',
    [`${PYTHON_PACKAGES}/designateclient/osc/plugin.py`]: 'python3-designateclient',
  },
};

const SCRIPT = join(import.meta.dirname, 'command-line.py');

interface RunningProgram {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  /** A line for each command. */
  readonly answers: Interface;
  readonly ended: Promise<never>;
}

/** Debian's `openstack` client with one way of signing in. */
export class CommandLine {
  private constructor(
    private readonly program: RunningProgram,
    private readonly login: Readonly<Record<string, string>>,
  ) {}

  /**
   * @param home where its own files would be
   * @param login the OS_* variables that tell `openstack` where to go and as whom
   */
  static start(home: string, login: Readonly<Record<string, string>>): CommandLine {
    const child = spawnTied(PYTHON, [SCRIPT], {
      cwd: home,
      env: environmentAt(home, { PYTHONUNBUFFERED: '1' }),
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit').then(() => Promise.reject(new Error('openstack has ended')));
    ended.catch(() => undefined);
    return new CommandLine({ child, answers: createInterface(child.stdout), ended }, login);
  }

  /** One command at a time. */
  async run(...words: readonly string[]): Promise<Outcome> {
    const { child, answers, ended } = this.program;
    const answer = once(answers, 'line') as Promise<[string]>;
    const command = { arguments: words, environment: this.login };
    child.stdin.write(`${JSON.stringify(command)}\n`);
    const [line] = await Promise.race([answer, ended]);
    return JSON.parse(line);
  }

  /** A command that succeeds and prints nothing of interest. */
  async succeed(...words: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(...words);
    if (code !== 0) throw new Error(`openstack ${words.join(' ')} ended with ${String(code)}:\n${stdout}${stderr}`);
    return stdout;
  }

  /** The output of a command for one object. */
  async one(...words: readonly string[]): Promise<Record<string, unknown>> {
    return JSON.parse(await this.succeed(...words, '-f', 'json'));
  }

  /** The list output of a command. */
  async list(...words: readonly string[]): Promise<readonly Record<string, unknown>[]> {
    return JSON.parse(await this.succeed(...words, '-f', 'json'));
  }

  /** A refused command. @returns its standard error */
  async refused(...words: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(...words);
    if (code === 0) throw new Error(`openstack ${words.join(' ')} was not refused:\n${stdout}`);
    return stderr;
  }

  stop(): void {
    this.program.child.stdin.end();
    this.program.answers.close();
  }
}
