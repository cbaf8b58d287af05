import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from '@jest/globals';

/** A program that tests may use: its commands or files, and the Debian packages that they come from. */
export interface Program {
  readonly name: string;
  readonly needs: Readonly<Record<string, string>>;
}

export interface Run {
  readonly failed: boolean;
  readonly stdout: string;
  /** All that it printed, and why it failed: for messages. */
  readonly output: string;
}

/** `it`, or its substitute where a program is missing. */
export type Itself = (title: string, test: () => Promise<void>, timeout?: number) => void;

/** `it` where the program is there; where not, a failure on CI, and a test that is skipped loudly elsewhere. */
export function itWith({ name, needs }: Program): Itself {
  const packages = missingPackages(needs);
  return packages.length === 0 ? it : itWithout(`${name} is missing: apt-get install ${packages.join(' ')}`);
}

/** A substitute for `it` where a program is missing. @param message the missing program, in one line */
export function itWithout(message: string): Itself {
  if (process.env.CI === 'true') {
    return (title) => {
      it(title, () => {
        throw new Error(message);
      });
    };
  }
  return itSkipped(message);
}

/** A substitute for `it` in short runs. @param command the command that runs the test */
export function itUnasked(command: string): Itself {
  return itSkipped(`not asked for; ${command}`);
}

function itSkipped(message: string): Itself {
  // Past jest's own console, which says nothing of skipped tests.
  writeFileSync(process.stderr.fd, `\nSKIPPED: ${message}\n`);
  return (title) => {
    it.skip(`${title} (${message})`, () => undefined);
  };
}

/** Missing packages of the program; empty: none. */
export function missingPackages(needs: Program['needs']): readonly string[] {
  return [...new Set(Object.entries(needs).flatMap(([command, debian]) => (pathOf(command) ? [] : [debian])))];
}

/** Whether it can be used here. */
export function isInstalled({ needs }: Program): boolean {
  return missingPackages(needs).length === 0;
}

export function run(command: string, parameters: readonly string[]): Promise<Run> {
  return new Promise((resolve) => {
    const options = { timeout: 20_000, maxBuffer: 2 ** 28, encoding: 'latin1' as const };
    execFile(pathOf(command) ?? command, parameters, options, (error, stdout, stderr) => {
      const output = [error?.message, stdout, stderr].filter(Boolean).join('\n');
      resolve({ failed: error !== null, stdout, output });
    });
  });
}

/** Runs work with a file of this content, in a temporary directory. */
export async function withFile<T>(
  content: string | Uint8Array,
  work: (path: string, directory: string) => Promise<T>,
): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'zonewright-interop-'));
  try {
    const path = join(directory, 'zone');
    await writeFile(path, content);
    return await work(path, directory);
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Debian keeps some of the programs where only root looks. */
const FOLDERS = [...(process.env.PATH ?? '').split(':'), '/usr/local/sbin', '/usr/sbin', '/sbin'];

function pathOf(command: string): string | undefined {
  const paths = command.startsWith('/') ? [command] : FOLDERS.map((folder) => join(folder, command));
  return paths.find((path) => existsSync(path));
}
