import { describe, expect, it, jest } from '@jest/globals';
import { Database } from '../support/sqlite.js';
import { answerOf, bodyOf } from '../support/answers.js';
import { queryPostgres } from '../support/postgres/databases.js';
import { isPostgresUrl } from '../support/stored.js';
import { type Target, violationsUnder } from './attack.js';
import { TEST_TIMEOUT_MS } from './form.js';

jest.setTimeout(TEST_TIMEOUT_MS);

/** What may have become of a row: by a failing disk, another program, or a version of ours that had a bug. */
const DAMAGES: readonly (readonly [what: string, column: string, value: string])[] = [
  ['RDATA that is no hexadecimal', 'rdata', 'zzzzzzzz'],
  ['RDATA that is too short for its type', 'rdata', 'c00002'],
  ['RDATA with more than its type has', 'rdata', 'c000020100'],
  ['no RDATA', 'rdata', ''],
  ['an owner name that is none', 'name', 'not..a name'],
  ['a type that nobody knows', 'type', 'NOPE'],
];

const NAME = 'damaged.example.org.';

interface Stored {
  readonly id: string;
  readonly name: string;
}

describe('a stored record that cannot be rendered', () => {
  it.each(DAMAGES)('12.4 is left out with its record set, logged, and reported: %s', async (what, column, value) => {
    const violations = await violationsUnder({
      name: `damaged row: ${what}`,
      isUnaudited: true,
      prepare: makeZone,
      run: async (target, { id, records }) => {
        const { call } = target.clients.as('mallory');
        const bad = records[0]!;
        damage(target.database, column, value, bad.id);

        const exported = await call('get', `/v1/domains/${id}/export`);
        target.must(exported.status === 200, `the export is answered ${exported.status}`);
        target.must(!/^bad\./m.test(exported.text), 'a record of the damaged set is exported');
        target.must(
          /^good\.damaged\.example\.org\.\t\d+\tIN\tA\t192\.0\.2\.9$/m.test(exported.text),
          'a sound record is missing',
        );
        target.must(target.log().includes(bad.id), 'the log does not name the record');

        const checked = await call('get', `/v1/domains/${id}/check`);
        target.must(checked.status === 200, `the check is answered ${checked.status}`);
        const { errors = [] } = checked.body as { errors?: { message: string }[] };
        target.must(
          errors.some(({ message }) => message.includes(bad.id)),
          'the check does not report the record',
        );
        const { code, stdout, stderr } = await target.zonewright('check');
        target.must(
          code === 1 && `${stdout}${stderr}`.includes(bad.id),
          `zonewright check ended with ${String(code)}: ${stdout}${stderr}`,
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
      },
    });
    expect(violations).toEqual([]);
  });
});

/** A domain with a set of two records, one of which will be damaged, and another set. */
async function makeZone({ clients }: Target): Promise<{ id: string; records: Stored[] }> {
  const { call } = clients.as('mallory');
  const { id } = await bodyOf<{ id: string }>(
    call('post', '/v1/domains', { name: NAME, email: 'hostmaster@example.org' }),
  );
  const records: Stored[] = [];
  for (const [label, data] of [
    ['bad', '192.0.2.1'],
    ['bad', '192.0.2.2'],
    ['good', '192.0.2.9'],
  ] as const) {
    const record = { name: `${label}.${NAME}`, type: 'A', data };
    records.push((await answerOf(call('post', `/v1/domains/${id}/records`, record))).body as Stored);
  }
  return { id, records };
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
