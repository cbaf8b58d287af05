import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerOf } from '../support/answers.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { type Ended, runCommand } from '../support/process.js';
import { environmentOf, removeTestData, startTestService, type TestService } from '../support/service.js';

/** Runs while the commands do, as it does for an operator. */
let service: TestService;
let directory: string;
let domain: TestDomain;
/** The serials after the creation and after each of three changes. */
const serials: number[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-history-'));
  service = await startTestService({}, directory);
  domain = await newDomain(service.as('tenant-m'), 'example.org.');
  const note = async (): Promise<void> => void serials.push((await domain.now()).serial);
  await note();
  const { id } = await domain.newRecord({ ttl: 300 });
  await note();
  await answerOf(domain.update(id, { data: '192.0.2.4', description: 'web' }));
  await note();
  await domain.import('mail MX 10 www\n@ TXT "v=spf1 -all"\n');
  await note();
});
afterAll(async () => {
  await service.stop();
  await removeTestData(directory);
});

const zone = (...args: string[]): Promise<Ended> => runCommand(directory, environmentOf(directory), ['zone', ...args]);
const failed = (stderr: RegExp | string) => ({
  code: 1,
  stdout: '',
  stderr: expect.stringMatching(stderr) as unknown as string,
});

describe('zone diff', () => {
  it('11.2 is drawn like a diff, and exits with 2 where something differs', async () => {
    const ended = await zone('diff', 'example.org', '--from', String(serials[1]));
    expect(ended).toEqual({
      code: 2,
      stdout: [
        `--- example.org. serial ${serials[1]}`,
        `+++ example.org. serial ${serials[3]}`,
        '-www.example.org. 300 A 192.0.2.3',
        '+www.example.org. 300 A 192.0.2.4 ; web',
        '+mail.example.org. MX 10 www.example.org.',
        '+example.org. TXT "v=spf1 -all"',
        '',
      ].join('\n'),
      stderr: '',
    });
  });

  it('11.2 also compares backwards, and exits with 0 silently without differences', async () => {
    const [backwards, nothing] = await Promise.all([
      zone('diff', 'example.org.', '--from', String(serials[1]), '--to', String(serials[0])),
      zone('diff', 'example.org.', '--from', String(serials[3])),
    ]);
    expect(backwards.code).toBe(2);
    expect(backwards.stdout.split('\n').slice(2)).toEqual(['-www.example.org. 300 A 192.0.2.3', '']);
    expect(nothing).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('11.2 exits with 1 for missing domains and invalid serials', async () => {
    const ended = await Promise.all([
      zone('diff', 'example.org.', '--from', '1'),
      zone('diff', 'nowhere.example.', '--from', '1'),
      zone('diff', 'example.org.', '--from', 'yesterday'),
      zone('diff', 'example.org.', '--from', '4294967296'),
    ]);
    expect(ended).toEqual([
      failed(/^zonewright: The history of example\.org\. does not have the serial 1;/),
      failed('zonewright: there is no domain nowhere.example.\n'),
      failed('--from "yesterday": write a number'),
      failed('--from "4294967296": write a number'),
    ]);
  });
});

describe('zone history', () => {
  it('11.1 shows each change with its author, latest first', async () => {
    const { code, stdout } = await zone('history', 'example.org');
    expect(code).toBe(0);
    const title = (serial: number) =>
      expect.stringMatching(
        new RegExp(`^serial ${serial}  \\d{4}-\\d\\d-\\d\\dT[\\d:.]{15}  tenant-m  req-[0-9a-f-]{36}$`),
      );
    expect(stdout.split('\n')).toEqual([
      title(serials[3]!),
      '  #5 record.create',
      '    +example.org. TXT "v=spf1 -all"',
      '  #4 record.create',
      '    +mail.example.org. MX 10 www.example.org.',
      title(serials[2]!),
      '  #3 record.update',
      '    -www.example.org. 300 A 192.0.2.3',
      '    +www.example.org. 300 A 192.0.2.4 ; web',
      title(serials[1]!),
      '  #2 record.create',
      '    +www.example.org. 300 A 192.0.2.3',
      title(serials[0]!),
      '  #1 zone.create',
      '',
    ]);
  });

  it('11.1 shows the requested changes, also of a deleted domain', async () => {
    const other = await newDomain(service.as('tenant-m'), 'gone.example.');
    await answerOf(service.as('tenant-m').call('put', `/v1/domains/${other.id}`, { ttl: 60 }));
    await answerOf(service.as('tenant-m').call('delete', `/v1/domains/${other.id}`));
    const stepsOf = ({ stdout }: Ended) => stdout.split('\n').filter((line) => line.startsWith('  #'));
    const [named, paged, recent, gone] = await Promise.all([
      zone('history', 'example.org', '--name', 'WWW.example.org', '--type', 'A'),
      zone('history', 'example.org', '--before', '4', '--limit', '2'),
      zone('history', 'example.org', '--since', '9999-01-01T00:00:00Z'),
      zone('history', 'Gone.example'),
    ]);
    expect(stepsOf(named)).toEqual(['  #3 record.update', '  #2 record.create']);
    expect(stepsOf(paged)).toEqual(['  #3 record.update', '  #2 record.create']);
    expect(recent).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(stepsOf(gone)).toEqual(['  #3 zone.delete', '  #2 zone.update ttl 3600 -> 60', '  #1 zone.create']);
  });

  it('11.1 exits with 1 for invalid arguments', async () => {
    const ended = await Promise.all([
      zone('history', 'nowhere.example'),
      zone('history', 'example.org', '--since', 'yesterday'),
      zone('history', 'example.org', '--limit', '0'),
      zone('history', 'example.org', '--before', 'x'),
    ]);
    expect(ended).toEqual([
      failed('zonewright: There is no history of this zone'),
      failed('--since "yesterday": write a time'),
      failed('--limit "0": write a number'),
      failed('--before "x": write a number'),
    ]);
  });
});

describe('zone revert', () => {
  it('11.3 restores the records and prints their count; --dry-run stores nothing', async () => {
    const other = await newDomain(service.as('tenant-m'), 'back.example.');
    const { serial } = await other.now();
    await other.import('a A 192.0.2.1\nb A 192.0.2.2\n');
    const revert = (...args: string[]) => zone('revert', 'back.example', '--serial', String(serial), ...args);
    expect(await revert('--dry-run')).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /^would be reverted: back\.example\.: 0 created, 0 updated, 2 deleted; serial \d+\n$/,
      ),
      stderr: '',
    });
    expect(await other.records()).toHaveLength(2);
    const { stdout } = await revert();
    expect(stdout).toBe(
      `reverted: back.example.: 0 created, 0 updated, 2 deleted; serial ${(await other.now()).serial}\n`,
    );
    expect(await other.records()).toEqual([]);
    expect(await zone('revert', 'back.example', '--serial', '1')).toEqual(failed('does not have the serial 1'));
  });
});
