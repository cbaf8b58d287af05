import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { npm, packService } from './packed-service.js';

const ROOT = resolve(import.meta.dirname, '../..');
const runFile = promisify(execFile);

/** A folder outside of the checkout with the service in its node_modules, and packages next to it. */
export interface Workspace {
  readonly folder: string;
  /** `node_modules/zonewright/dist/src/cli/main.js`, whole. */
  readonly commandLine: string;
  /** Copies an example of the tarball into it, and has it found by its name. */
  add(name: string): Promise<void>;
  /** Has a package found that is in it already. */
  link(name: string): Promise<void>;
  /** Runs `npm test` in one package. @returns its output @throws Error with that output on failure */
  test(name: string): Promise<string>;
}

/** Build tools of packages. */
const TOOLS = ['typescript', '@types/node', 'undici-types'];

/**
 * Unpacks the service tarball where `npm install` would, with its dependencies and the build tools. Links to the local
 * packages avoid downloads; development-only packages are missing.
 */
export async function newWorkspace(): Promise<Workspace> {
  const folder = await mkdtemp(join(tmpdir(), 'zonewright-workspace-'));
  const modules = join(folder, 'node_modules');
  const service = join(modules, 'zonewright');
  await mkdir(service, { recursive: true });
  const { tarball } = await packService(folder);
  await runFile('tar', ['-xzf', tarball, '-C', service, '--strip-components=1']);
  for (const name of new Set([...(await neededPackages()), ...TOOLS]))
    await linkTo(join(ROOT, 'node_modules', name), join(modules, name));
  await linkTo(join(ROOT, 'node_modules/typescript/bin/tsc'), join(modules, '.bin/tsc'));
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
  const packageName = async (name: string): Promise<string> => {
    const { name: full } = JSON.parse(await readFile(join(folder, name, 'package.json'), 'utf8')) as { name: string };
    return full;
  };
  const link = async (name: string): Promise<void> =>
    linkTo(join(folder, name), join(modules, await packageName(name)));
  return {
    folder,
    commandLine: join(service, 'dist/src/cli/main.js'),
    link,
    add: async (name) => {
      await cp(join(service, 'examples/plugins', name), join(folder, name), { recursive: true });
      await link(name);
    },
    test: (name) => runTests(join(folder, name)),
  };
}

async function runTests(cwd: string): Promise<string> {
  try {
    return await npm(cwd, ['test']);
  } catch (error) {
    // The compiler and the tests write errors to stdout.
    throw new Error((error as { readonly stdout?: string }).stdout, { cause: error });
  }
}

/** Top-level packages in node_modules that npm installs with the service; their dependencies resolve from there. */
async function neededPackages(): Promise<string[]> {
  const lock = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as Lock;
  return Object.entries(lock.packages)
    .filter(([path]) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path))
    .filter(([, { dev, devOptional }]) => !dev && !devOptional)
    .map(([path]) => path.replace('node_modules/', ''));
}

interface Lock {
  readonly packages: Readonly<Record<string, Readonly<Partial<Record<'dev' | 'devOptional', boolean>>>>>;
}

async function linkTo(target: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await symlink(target, path);
}
