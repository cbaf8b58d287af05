import { describe, expect, it, jest } from '@jest/globals';
import { Database } from '../support/sqlite.js';
import { answerOf, bodyOf } from '../support/answers.js';
import { queryPostgres } from '../support/postgres/databases.js';
import { isPostgresUrl } from '../support/stored.js';
import { until } from '../support/until.js';
import { type Target, violationsUnder } from './attack.js';
import { TEST_TIMEOUT_MS } from './form.js';

jest.setTimeout(TEST_TIMEOUT_MS);

/** Row damage by a failing disk, another program or an old Zonewright bug. */
const DAMAGES: readonly (readonly [what: string, column: string, value: string])[] = [
  ['RDATA that is no hexadecimal', 'rdata', 'zzzzzzzz'],
  ['RDATA that is too short for its type', 'rdata', 'c00002'],
  ['RDATA with more than its type has', 'rdata', 'c000020100'],
  ['no RDATA', 'rdata', ''],
  ['an owner name that is none', 'name', 'not..a name'],
  ['an unknown type', 'type', 'NOPE'],
];

interface Stored {
  readonly id: string;
  readonly name: string;
}

interface Zone {
  readonly id: string;
  readonly name: string;
  /** The first two are a set, and the first of them will be damaged. */
  readonly records: readonly Stored[];
}

describe('a stored record that cannot be rendered', () => {
  it('12.4 skips, logs and reports the record set for every kind of damage', async () => {
    const violations = await violationsUnder({
      name: 'damaged rows',
      isUnaudited: true,
      prepare: async (target) => {
        const zones: Zone[] = [];
        for (const at of DAMAGES.keys()) zones.push(await makeZone(target, `damaged${at}.example.org.`));
        return zones;
      },
      run: async (target, zones) => {
        for (const [at, [, column, value]] of DAMAGES.entries())
          damage(target.database, column, value, zones[at]!.records[0]!.id);
        const { code, stdout, stderr } = await target.zonewright('check');
        const checked = `zonewright check ended with ${String(code)}: ${stdout}${stderr}`;
        target.must(code === 1, checked);
        for (const [at, [what]] of DAMAGES.entries()) {
          const zone = zones[at]!;
          target.must(`${stdout}${stderr}`.includes(zone.records[0]!.id), `${what}: ${checked}`);
          await expectLeftOut({ ...target, must: (holds, words) => target.must(holds, `${what}: ${words}`) }, zone);
        }
      },
    });
    expect(violations).toEqual([]);
  });
});

async function expectLeftOut(target: Target, { id, name, records }: Zone): Promise<void> {
  const { call } = target.clients.as('mallory');
  const bad = records[0]!;
  const exported = await call('get', `/v1/domains/${id}/export`);
  target.must(exported.status === 200, `the export is answered ${exported.status}`);
  target.must(!/^bad\./m.test(exported.text), 'a record of the damaged set is exported');
  const sound = exported.text.split('\n').find((line) => line.startsWith(`good.${name}\t`));
  target.must((sound ?? '').endsWith('\tIN\tA\t192.0.2.9'), 'a sound record is missing');
  const isLogged = await until(() => target.log().includes(bad.id)).then(
    () => true,
    () => false,
  );
  target.must(isLogged, 'the log does not name the record');

  const checked = await call('get', `/v1/domains/${id}/check`);
  target.must(checked.status === 200, `the check is answered ${checked.status}`);
  const { errors = [] } = checked.body as { errors?: { message: string }[] };
  target.must(
    errors.some(({ message }) => message.includes(bad.id)),
    'the check does not report the record',
  );

  const send = (query: string) =>
    call('post', `/v1/domains/${id}/import${query}`).set('Content-Type', 'text/dns').send(exported.text);
  const back = await send('?mode=replace&dry_run=true');
  target.must(back.status === 400, `the import of what was exported is answered ${back.status}`);
  const told = await send('?mode=replace&dry_run=true&incomplete=true');
  target.must(told.status === 200, `the import that is told so is answered ${told.status}`);

  const listed = await call('get', `/v1/domains/${id}/records`);
  target.must(listed.status === 200, `the list is answered ${listed.status}`);
  const removed = await call('delete', `/v1/domains/${id}/records/${bad.id}`);
  target.must(removed.status === 200, `deleting the record is answered ${removed.status}`);
}

/** A domain with two record sets: one has two records, of which one will be damaged. */
async function makeZone({ clients }: Target, name: string): Promise<Zone> {
  const { call } = clients.as('mallory');
  const { id } = await bodyOf<{ id: string }>(call('post', '/v1/domains', { name, email: 'hostmaster@example.org' }));
  const records: Stored[] = [];
  for (const [label, data] of [
    ['bad', '192.0.2.1'],
    ['bad', '192.0.2.2'],
    ['good', '192.0.2.9'],
  ] as const) {
    const record = { name: `${label}.${name}`, type: 'A', data };
    records.push((await answerOf(call('post', `/v1/domains/${id}/records`, record))).body as Stored);
  }
  return { id, name, records };
}

function damage(database: string, column: string, value: string, id: string): void {
  const statement = (marks: readonly [string, string]): string =>
    `UPDATE records SET ${column} = ${marks[0]} WHERE id = ${marks[1]}`;
  if (isPostgresUrl(database)) {
    queryPostgres(database, statement(['$1', '$2']), [value, id]);
    return;
  }
  const file = new Database(database, { fileMustExist: true });
  file.prepare(statement(['?', '?'])).run(value, id);
  file.close();
}
