import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { itWith, run } from '../support/run-program.js';
import { until } from '../support/until.js';
import { commandOf, readContainerfile, type Stage, valuesOf, variablesOf } from './containerfile.js';
import { Machine, MACHINE, NOTHING, SHOWN } from './machine.js';

jest.setTimeout(900_000);

/** In milliseconds. */
const PATIENCE = 300_000;

const ROOT = process.cwd();
const stages = readContainerfile('Containerfile');
const machines: Machine[] = [];
afterAll(async () => {
  for (const machine of machines) await machine.stop();
});

describe('the Containerfile', () => {
  const last = stages.at(-1)!;

  it('names images without a host, runs as a user by number, and has a health check', () => {
    expect(stages.map(({ image }) => image)).toEqual(stages.map(() => expect.stringMatching(/^node:24-[a-z-]+$/)));
    expect(valuesOf(last, 'USER').at(-1)).toMatch(/^[1-9][0-9]+:[1-9][0-9]+$/);
    expect(valuesOf(last, 'HEALTHCHECK')).toHaveLength(1);
  });

  // The images are Debian with Node.js, as this machine is.
  itWith(MACHINE)('leads, step by step, to a service that is healthy until it stops', async () => {
    const built = new Map<string, Machine>();
    for (const stage of stages) {
      const machine = await Machine.start(NOTHING, join(ROOT, 'node_modules'));
      machines.push(machine);
      if (stage.alias !== null) built.set(stage.alias, machine);
      await carryOut(stage, machine, built);
    }
    const machine = machines.at(-1)!;
    const [uid, gid] = valuesOf(last, 'USER').at(-1)!.split(':');
    const as = `cd ${valuesOf(last, 'WORKDIR').at(-1)!} && exec setpriv --reuid=${uid} --regid=${gid} --clear-groups --`;
    const environment = variablesOf(last);
    const check = commandOf(valuesOf(last, 'HEALTHCHECK')[0]!.replace(/^.*?CMD /, ''));
    const isHealthy = async (): Promise<boolean> => (await machine.run(`${as} ${check}`, environment)).code === 0;

    expect(await isHealthy()).toBe(false);
    const service = machine.run(`${as} ${commandOf(valuesOf(last, 'CMD').at(-1)!)}`, environment);
    const early = service.then(({ code, stderr }) => {
      throw new Error(`the service ended with ${String(code)}: ${stderr}`);
    });
    await Promise.race([until(isHealthy, PATIENCE), early]);
    expect(await machine.succeed('stat -c %u:%g /var/lib/zonewright/zonewright.sqlite')).toBe(`${uid}:${gid}\n`);
    expect(await machine.succeed(`${as} zonewright token list`, environment)).toContain('admin');
    await machine.succeed("pkill --full '^node /usr/lib/zonewright/'");
    expect(await service).toMatchObject({ code: 0, stderr: '' });
    expect(await isHealthy()).toBe(false);
  });
});

async function carryOut(stage: Stage, machine: Machine, built: ReadonlyMap<string, Machine>): Promise<void> {
  let place = '/';
  for (const { name, value } of stage.instructions) {
    if (name === 'WORKDIR') {
      place = value;
      await machine.succeed(`mkdir -p ${place}`);
    } else if (name === 'COPY') await copy(value, place, machine, built);
    else if (name === 'RUN' && value.startsWith('npm ci')) await shareDependencies(machine, place);
    else if (name === 'RUN') await machine.succeed(`cd ${place} && ${value}`, variablesOf(stage));
  }
}

/** `npm ci` would compile SQLite for a minute: the packages of the checkout were installed by the same lock. */
async function shareDependencies(machine: Machine, place: string): Promise<void> {
  await machine.succeed(`mkdir ${place}/node_modules && mount --bind ${SHOWN} ${place}/node_modules`);
}

/** `FILE … FOLDER`, or `--from=STAGE FOLDER FOLDER`. */
async function copy(
  value: string,
  place: string,
  machine: Machine,
  built: ReadonlyMap<string, Machine>,
): Promise<void> {
  const words = value.split(/ +/);
  const [first = ''] = words;
  const target = machine.path(resolve(place, words.at(-1) ?? ''));
  const stage = /^--from=(.*)$/.exec(first)?.[1];
  if (stage !== undefined) await copyFiles(built.get(stage)!.path(words[1]!), ['.'], target);
  else if (first === '.') await copyFiles(ROOT, await readdir(ROOT), target);
  else await copyFiles(ROOT, words.slice(0, -1), target);
}

/** Skips files in .dockerignore. */
async function copyFiles(from: string, names: readonly string[], to: string): Promise<void> {
  const pack = 'tar --create --directory "$from" --anchored --exclude-from .dockerignore -- "$@"';
  const script = `from=$1 to=$2; shift 2; mkdir -p "$to" && ${pack} | tar --extract --directory "$to" --no-same-owner`;
  const { failed, output } = await run('sh', ['-c', script, 'sh', from, to, ...names]);
  expect({ failed, output }).toEqual({ failed: false, output: '' });
}
