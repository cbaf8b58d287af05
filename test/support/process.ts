import { type ChildProcess, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { spawnTied } from './children.js';

const ROOT = resolve(import.meta.dirname, '../..');
const SERVICE = join(ROOT, 'dist/src/main.js');
export const COMMAND_LINE = join(ROOT, 'dist/src/cli/main.js');
/** The command line of another team, with its plugin. */
export const ACME_COMMAND_LINE = join(ROOT, 'dist/examples/acme/main.js');
export const ACME_PLUGIN = join(ROOT, 'dist/examples/acme/acme.plugin.js');

/** Exit code and output of a process. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ServiceProcess {
  readonly url: string;
  readonly pid: number;
  /** All output so far. */
  output(): { readonly stdout: string; readonly stderr: string };
  signal(name: NodeJS.Signals): void;
  /** From then on its process id may be another process's. */
  hasEnded(): boolean;
  readonly ended: Promise<Ended>;
}

/** The messages of log lines, which are JSON without a terminal. */
export function wordsIn(stdout: string): string[] {
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => (JSON.parse(line) as { readonly msg: string }).msg);
}

/** Runs `node dist/src/main.js` until it ends by itself. */
export function runService(cwd: string, env: Record<string, string>, args: readonly string[] = []): Promise<Ended> {
  return endOf(start(SERVICE, cwd, env, args));
}

/** Runs `zonewright …`, the command line, or that of another program. It is killed after `timeout` milliseconds. */
export function runCommand(
  cwd: string,
  env: Record<string, string>,
  args: readonly string[],
  { program = COMMAND_LINE, timeout }: { program?: string; timeout?: number } = {},
): Promise<Ended> {
  return endOf(start(program, cwd, env, args, timeout));
}

/** Runs `zonewright …` and kills it after `milliseconds`: then its code is null. */
export function runCommandWithin(
  timeout: number,
  cwd: string,
  env: Record<string, string>,
  args: readonly string[],
): Promise<Ended> {
  return endOf(start(COMMAND_LINE, cwd, env, args, timeout));
}

/** Starts `node dist/src/main.js`, or another program, and returns as soon as it listens. */
export async function startServiceProcess(
  cwd: string,
  env: Record<string, string>,
  [program, ...args]: readonly [string, ...string[]] = [SERVICE],
): Promise<ServiceProcess> {
  const child = start(program, cwd, env, args);
  const said = listenTo(child);
  const ended = endOf(child, said);
  return {
    url: await urlSaidBy(child, said, ended),
    pid: child.pid ?? 0,
    output: () => ({ ...said }),
    signal: (name) => child.kill(name),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    ended,
  };
}

/** Starts the service and kills it after `milliseconds`, whether it listens or not. */
export async function killWhileStarting(cwd: string, env: Record<string, string>, after: number): Promise<void> {
  const child = start(SERVICE, cwd, env, []);
  const timer = setTimeout(() => child.kill('SIGKILL'), after);
  await endOf(child);
  clearTimeout(timer);
}

/** Kills the service and its workers with -9; resolves after their exit. */
export function killAll({ pid, signal, hasEnded }: ServiceProcess): void {
  if (hasEnded()) return;
  const workers = childrenOf(pid);
  signal('SIGKILL');
  for (const worker of workers) killQuietly(worker);
}

/** A worker may already have exited because its parent did. */
function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    return;
  }
}

export function childrenOf(pid: number): number[] {
  const { stdout } = spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' });
  return stdout.split('\n').filter(Boolean).map(Number);
}

function start(
  script: string,
  cwd: string,
  env: Record<string, string>,
  args: readonly string[],
  timeout = 0,
): ChildProcess {
  if (!existsSync(script)) throw new Error(`${script} is missing: run "npm run build" first`);
  const { PATH = '' } = process.env;
  return spawnTied(process.execPath, [script, ...args], {
    cwd,
    env: { PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout,
    killSignal: 'SIGKILL',
  });
}

interface Said {
  stdout: string;
  stderr: string;
}

function listenTo(child: ChildProcess): Said {
  const said: Said = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk: Buffer) => (said.stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (said.stderr += chunk.toString()));
  return said;
}

function endOf(child: ChildProcess, said: Said = listenTo(child)): Promise<Ended> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...said }));
  });
}

function urlSaidBy(child: ChildProcess, said: Said, ended: Promise<Ended>): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', () => {
      const [, url] = /listens on ([^\s"]+)["\n]/.exec(said.stdout) ?? [];
      if (url !== undefined) resolve(url);
    });
    void ended.then(({ code, stderr }) => reject(new Error(`the service ended with ${String(code)}: ${stderr}`)));
  });
}
