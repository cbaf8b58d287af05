import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf, expectRefusal, refusalOf, TIMESTAMP, UUID } from '../support/answers.js';
import { audit, contentsOf } from '../support/audit.js';
import type { DiffBody, ImportBody } from '../support/bodies.js';
import { startComparison } from '../support/comparison.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';

type Compared = ImportBody & DiffBody;

const DIFF = '?dry_run=true&diff=true';
const REPLACE = `${DIFF}&mode=replace`;
const PER_TENANT = 2;
/** More entries than are stored at a time. */
const MANY = 600;
/** Records whose text exceeds the buffers between two processes. */
const LONG = 160;
const TEXT = `"${'x'.repeat(255)}" `.repeat(235);

let service: TestService;
let zone: TestDomain;

beforeAll(async () => {
  service = await startTestService({
    DEFAULT__QUOTA_ZONE_RECORDS: '5000',
    SERVICE_API__MAX_BODY_SIZE: '16 MiB',
    SERVICE_API__MAX_STREAMS_PER_TENANT: String(PER_TENANT),
    SERVICE_API__MAX_IMPORTS_PER_TENANT: '8',
    // A client that does not read must stay connected until the end of a test on a busy machine.
    SERVICE_API__READ_TIMEOUT: '3600',
  });
});
afterAll(() => service.stop());
beforeEach(async () => {
  zone = await newDomain(service);
});
afterEach(() => audit(service.databaseFile));

const compare = (file: string, query = REPLACE): Promise<Compared> => bodyOf<Compared>(zone.sendFile(file, query));

/** The differences as `action name ttl data -> ttl data`. */
async function differences(file: string, query?: string): Promise<string[]> {
  const shown = (record: DiffBody['diff'][number]['after']) => (record === null ? '' : `${record.ttl} ${record.data}`);
  const { diff } = await compare(file, query);
  return diff.map(({ action, before, after }) =>
    [action, (before ?? after)!.name.split('.')[0], `${shown(before)} -> ${shown(after)}`].join(' '),
  );
}

describe('a file compared with its domain', () => {
  it('9.5, 11.2 lists and counts deletions, updates and creations', async () => {
    const old = await zone.newRecord({ name: zone.at('old'), ttl: 60 });
    const kept = await zone.newRecord({ name: zone.at('kept'), description: 'mine' });
    await zone.newRecord({ name: zone.at('same') });
    const { diff, ...counts } = await compare('$TTL 3600\nkept 300 A 192.0.2.3\nsame A 192.0.2.3\nnew MX 10 kept\n');
    expect(counts).toEqual({
      mode: 'replace',
      dry_run: true,
      created: 1,
      updated: 1,
      unchanged: 1,
      removed: 1,
      skipped: 0,
      repairs: [],
    });
    expect(diff).toEqual([
      { action: 'delete', before: old, after: null },
      {
        action: 'update',
        before: kept,
        after: { ...kept, ttl: 300, updated_at: expect.stringMatching(TIMESTAMP) },
      },
      {
        action: 'create',
        before: null,
        after: {
          id: expect.stringMatching(UUID),
          name: zone.at('new'),
          type: 'MX',
          created_at: expect.stringMatching(TIMESTAMP),
          updated_at: null,
          ttl: null,
          data: zone.at('kept'),
          domain_id: zone.id,
          priority: 10,
          description: null,
        },
      },
    ]);
  });

  it('9.5, 15.5 stores nothing, and merging removes nothing', async () => {
    await zone.newRecord({ name: zone.at('old') });
    const before = contentsOf(service.databaseFile);
    expect(await differences('new A 192.0.2.4\n', DIFF)).toEqual(['create new  -> null 192.0.2.4']);
    expect(await differences('new A 192.0.2.4\n')).toEqual([
      'delete old null 192.0.2.3 -> ',
      'create new  -> null 192.0.2.4',
    ]);
    expect(contentsOf(service.databaseFile)).toEqual(before);
  });

  it('9.5 an empty list says that both agree', async () => {
    await zone.import('www A 192.0.2.1\n@ MX 10 www\ntext TXT "a; b" "\\"\\\\"\n');
    expect(await compare(await zone.export())).toMatchObject({ unchanged: 3, diff: [] });
  });

  it('9.5, 11.2 is net: a record that the file has twice is listed once, with the lower ttl', async () => {
    await zone.newRecord({ name: zone.at('back'), ttl: 60 });
    await zone.newRecord({ name: zone.at('moved'), ttl: 60 });
    const filler = `$GENERATE 1-${MANY} h$ A 192.0.2.1\n`;
    const first = 'new 1 A 192.0.2.3\nback 1 A 192.0.2.3\nmoved 1 A 192.0.2.3\n';
    const second = 'new 2 A 192.0.2.3\nback 60 A 192.0.2.3\nmoved 2 A 192.0.2.3\n';
    const expected = [
      'create new  -> 1 192.0.2.3',
      'update back 60 192.0.2.3 -> 1 192.0.2.3',
      'update moved 60 192.0.2.3 -> 1 192.0.2.3',
    ];
    expect(await differences(first + second)).toEqual(expected);
    const far = await differences(first + filler + second);
    expect(far.filter((line) => !/^create h\d/.test(line))).toEqual(expected);
    expect(far).toHaveLength(MANY + expected.length);
  });

  it('9.5 a name that changes its type is removed and added', async () => {
    await zone.import('www A 192.0.2.1\n');
    expect(await differences('www CNAME web.example.net.\n')).toEqual([
      'delete www null 192.0.2.1 -> ',
      'create www  -> null web.example.net.',
    ]);
  });

  it('9.5 returns long texts completely, and escapes special characters of JSON and lines', async () => {
    const [long, odd] = ['x'.repeat(255), 'a\u2028b\r\n"c"\\'];
    const { id } = await zone.newRecord({ name: zone.at('odd'), type: 'TXT', data: 'odd', description: odd });
    const file = Array.from({ length: MANY }, (_, at) => `h${at} TXT ${`"${long}" `.repeat(8)}\n`).join('');
    const { diff } = await compare(file);
    expect(diff[0]).toMatchObject({ action: 'delete', before: { id, description: odd } });
    expect(diff).toHaveLength(MANY + 1);
    expect(diff.at(-1)!.after!.data).toHaveLength(long.length * 8 + 23);
  });
});

describe('a comparison that is refused', () => {
  const FAULTS: readonly (readonly [string, string, string])[] = [
    ['a value', 'www A 192.0.2.256\n', 'line 1, column 7'],
    ['the placement', 'www A 192.0.2.1\nwww CNAME ftp\n', 'line 2, column 1'],
    ['a directive', 'www A 192.0.2.1\n$INCLUDE other\n', 'line 2, column 1'],
  ];
  it.each(FAULTS)('9.5, 15.2 names the line where %s is at fault', async (_, file, place) => {
    const { errors } = await refusalOf(zone.sendFile(file, DIFF), 400, 'invalid_object');
    expect(errors).toMatchObject([{ path: place }]);
  });

  it('9.5 needs no dry run: it stores nothing', async () => {
    for (const query of ['?diff=true', '?diff=true&dry_run=false'])
      expectRefusal(await zone.sendFile('www A 192.0.2.1\n', query), {
        status: 400,
        type: 'invalid_object',
        faults: [{ path: 'dry_run', validator: 'required' }],
      });
    expect(await zone.records()).toEqual([]);
  });

  it('9.5 is one of another word than true and false', async () => {
    for (const diff of ['', '1', 'TRUE', 'true&diff=true'])
      await refusalOf(zone.sendFile('www A 192.0.2.1\n', `?dry_run=true&diff=${diff}`), 400, 'invalid_object');
  });

  it('9.5, 15.2 works for an empty file, with a full quota, and not for a foreign domain', async () => {
    await refusalOf(zone.sendFile('', DIFF), 400, 'invalid_object');
    await refusalOf(zone.sendFile('$GENERATE 1-5001 h$ A 192.0.2.1\n', DIFF), 413, 'over_quota');
    const other = service.as('tenant-b').call('post', `/v1/domains/${zone.id}/import${DIFF}`);
    await refusalOf(other.set('Content-Type', 'text/dns').send('www A 192.0.2.1\n'), 404, 'domain_not_found');
    const reader = service.as('tenant-a', 'reader').call('post', `/v1/domains/${zone.id}/import${DIFF}`);
    await refusalOf(reader.set('Content-Type', 'text/dns').send('www A 192.0.2.1\n'), 401, 'access_denied');
  });
});

it('9.5, 10.2 ignores an Idempotency-Key: the comparison runs again', async () => {
  const send = (file: string) => answerOf(zone.sendFile(file, DIFF).set('Idempotency-Key', 'one key'));
  await send('www A 192.0.2.1\n');
  await zone.import('www A 192.0.2.1\n');
  const again = await send('www A 192.0.2.1\n');
  expect(again.headers).not.toHaveProperty('idempotent-replayed');
  expect(again.body).toMatchObject({ unchanged: 1, diff: [] });
});

it('9.5, 15.6 a comparison counts until it is read: a tenant has a limit, and disconnects free slots', async () => {
  const file = Array.from({ length: LONG }, (_, at) => `h${at} TXT ${TEXT}\n`).join('');
  const unread = [await startComparison(service.url, zone, file), await startComparison(service.url, zone, file)];
  const refused = await zone.sendFile('www A 192.0.2.1\n', DIFF);
  expectRefusal(refused, { status: 503, type: 'unavailable' });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  await refusalOf(zone.fetchFile(), 503, 'unavailable');
  const other = await newDomain(service.as('tenant-b'));
  expect(await bodyOf(other.sendFile('www A 192.0.2.1\n', DIFF))).toMatchObject({ created: 1 });
  const [read, left] = unread;
  left!.destroy();
  expect((JSON.parse(await text(read!)) as Compared).diff).toHaveLength(LONG);
  for (let status = 0; status !== 200;) {
    ({ status } = await zone.sendFile('www A 192.0.2.1\n', DIFF));
    if (status !== 200) expect(status).toBe(503);
  }
});
