import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { PROGRAMS } from './client-programs.js';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');
const DOCUMENTS = { v1: join(ROOT, 'docs/openapi.json'), v2: join(ROOT, 'docs/openapi-v2.json') } as const;

/** Programs by path, since PATH may lack them. */
const command = (name: string): string => join(ROOT, 'node_modules/.bin', name);
const TSC = command('tsc');

/** Generates a client of a document in a separate folder. */
const GENERATORS: Readonly<Record<string, (document: string) => readonly [program: string, ...args: string[]]>> = {
  'openapi-typescript': (document) => [command('openapi-typescript'), document, '--output', 'client.ts'],
  'swagger-typescript-api': (document) => [
    ...([command('swagger-typescript-api'), 'generate', '--path', document] as const),
    ...['--output', '.', '--name', 'client.ts', '--silent'],
  ],
  '@hey-api/openapi-ts': (document) => [
    ...([command('openapi-ts'), '--input', document, '--output', 'client'] as const),
    ...['--client', '@hey-api/client-fetch', '--no-log-file', '--silent'],
  ],
};

const CASES = Object.keys(GENERATORS).flatMap((generator) =>
  (['v1', 'v2'] as const).map((version) => [generator, version] as const),
);

/** Six clients are generated sequentially and compiled together. */
const PATIENCE = 300_000;

let directory: string;
/** The compiler messages, which name the folder. */
let complaints: string;

const folderOf = (generator: string, version: string): string =>
  `${generator.replaceAll(/\W+/g, '-').replace(/^-/, '')}-${version}`;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-clients-'));
  for (const [generator, version] of CASES) await generate(generator, version);
  await writeFile(join(directory, 'tsconfig.json'), JSON.stringify(COMPILER));
  complaints = await run(TSC, ['-p', directory], { maxBuffer: 1 << 26 }).then(
    () => '',
    (error: unknown) => complaintsIn(error),
  );
}, PATIENCE);
afterAll(() => rm(directory, { recursive: true, force: true }));

/** @throws the error itself where the compiler did not run */
function complaintsIn(error: unknown): string {
  const { stdout = '' } = error as { readonly stdout?: string };
  if (stdout === '') throw error;
  return stdout;
}

/** Strict, as a new project of TypeScript is; clients are for browsers and for Node. */
const COMPILER = {
  compilerOptions: {
    ...{ strict: true, noUncheckedIndexedAccess: true, noEmit: true, skipLibCheck: true, types: [] },
    ...{ target: 'ES2022', module: 'ESNext', moduleResolution: 'bundler', lib: ['ES2023', 'DOM', 'DOM.Iterable'] },
  },
};

async function generate(generator: string, version: 'v1' | 'v2'): Promise<void> {
  const folder = join(directory, folderOf(generator, version));
  await mkdir(folder);
  const [program, ...args] = GENERATORS[generator]!(DOCUMENTS[version]);
  await run(program, args, { cwd: folder, env: { ...process.env, NO_COLOR: '1' } });
  await writeFile(join(folder, 'program.ts'), PROGRAMS[version][generator]!);
}

it.each(CASES)('1.10 %s makes a client of %s that a program compiles against', (generator, version) => {
  const folder = `${folderOf(generator, version)}/`;
  expect(complaints.split('\n').filter((line) => line.includes(folder))).toEqual([]);
});

it('the compiler has no further messages', () => {
  expect(complaints).toBe('');
});
