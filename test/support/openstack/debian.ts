import { execFile } from 'node:child_process';
import type { Program } from '../run-program.js';

/** Debian's programs: another python3 earlier in PATH lacks their modules. */
const PATH = '/usr/sbin:/usr/bin:/sbin:/bin';
const MAX_OUTPUT = 2 ** 26;

export const PYTHON = '/usr/bin/python3';
export const PYTHON_PACKAGES = '/usr/lib/python3/dist-packages';

/** Exit code and output of a program. */
export interface Outcome {
  /** `null`: it was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The complete environment of a program: no test variables, no proxy, and its files below `home`. */
export function environmentAt(home: string, own: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { PATH, HOME: home, LC_ALL: 'C.UTF-8', ...own };
}

/** Runs a Debian program to its end, or kills it after `timeout` milliseconds. */
export function runDebian(
  [command, ...parameters]: readonly [string, ...string[]],
  environment: Readonly<Record<string, string>>,
  { timeout = 60_000, cwd }: { readonly timeout?: number; readonly cwd?: string } = {},
): Promise<Outcome> {
  return new Promise((resolve) => {
    const options = { env: environment, timeout, cwd, maxBuffer: MAX_OUTPUT, killSignal: 'SIGKILL' as const };
    const child = execFile(command, parameters, options, (error, stdout, stderr) => {
      const reason = error !== null && child.exitCode === null ? `${stderr}\n${error.message}` : stderr;
      resolve({ code: child.exitCode, stdout, stderr: reason });
    });
    child.stdin?.end();
  });
}

/** Runs a program that must succeed. @returns its output */
export async function succeedDebian(...parameters: Parameters<typeof runDebian>): Promise<string> {
  const { code, stdout, stderr } = await runDebian(...parameters);
  if (code !== 0) throw new Error(`${parameters[0].join(' ')} ended with ${String(code)}:\n${stdout}\n${stderr}`);
  return stdout;
}

/** Joins several programs, for `itWith`. */
export function together(name: string, ...programs: readonly Program[]): Program {
  return { name, needs: Object.assign({}, ...programs.map(({ needs }) => needs)) as Program['needs'] };
}
