import { chmod, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { answerOf } from '../support/answers.js';
import { newDomain } from '../support/domain.js';
import { type Ended, runCommand } from '../support/process.js';
import { environmentOf, removeTestData, startTestService, type TestService } from '../support/service.js';

let directory: string;
let service: TestService;
let control: string;

/** Changes a file in the way `nsd-control` changes the zone list of NSD. */
const CONTROL = `#!/bin/sh
case "$1" in
  zonestatus) printf 'zone:\\tfixed.example\\n\\tstate: ok\\n'
    while read -r name pattern; do printf 'zone:\\t%s\\n\\tpattern: %s\\n\\tstate: ok\\n' "$name" "$pattern"; done <"$ZONES" ;;
  addzones) cat >>"$ZONES" ;;
  delzones) while read -r name; do grep -v "^$name " "$ZONES" >"$ZONES.new"; mv "$ZONES.new" "$ZONES"; done ;;
  *) exit 1 ;;
esac
`;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-sync-'));
  service = await startTestService({}, directory);
  control = join(directory, 'nsd-control');
  await writeFile(control, CONTROL);
  await chmod(control, 0o755);
  await writeFile(zonesFile(), 'other.example elsewhere\n');
});
afterEach(async () => {
  await service.stop();
  await removeTestData(directory);
});

const zonesFile = (): string => join(directory, 'zones');
const zones = async (): Promise<string[]> => (await readFile(zonesFile(), 'utf8')).split('\n').filter(Boolean).sort();
const sync = (...args: string[]): Promise<Ended> =>
  runCommand(directory, { ...environmentOf(directory), ZONES: zonesFile() }, ['pool', 'sync', ...args]);

describe('zonewright pool sync', () => {
  it('12.1 adds and removes the differences, and nothing when repeated', async () => {
    const [one, other] = [await newDomain(service), await newDomain(service, 'Upper.example.org.')];
    const told = async () => (await sync('--pattern', 'zonewright', '--control', control)).stdout;
    expect(await told()).toBe('added 2, removed 0\n');
    expect(await zones()).toEqual(
      [`${one.name.slice(0, -1)} zonewright`, 'upper.example.org zonewright', 'other.example elsewhere'].sort(),
    );
    expect(await told()).toBe('added 0, removed 0\n');
    await answerOf(service.call('delete', `/v1/domains/${other.id}`));
    expect(await told()).toBe('added 0, removed 1\n');
    expect(await zones()).toEqual([`${one.name.slice(0, -1)} zonewright`, 'other.example elsewhere'].sort());
  });

  it('12.1 prints the commands without a configured control program', async () => {
    const domain = await newDomain(service);
    const { code, stdout } = await sync('--pattern', 'zonewright');
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `nsd-control addzone ${domain.name.slice(0, -1)} zonewright\n`,
    });
  });

  it('12.1 reports errors', async () => {
    expect(await sync('--pattern', 'a b')).toMatchObject({ code: 1, stderr: expect.stringContaining('--pattern') });
    const failed = await sync('--pattern', 'zonewright', '--control', '/bin/false');
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('/bin/false zonestatus ended with 1') });
  });
});
