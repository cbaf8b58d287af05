import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Test } from 'supertest';
import { answerOf, bodyOf, refusalOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import type { DiffBody, HistoryBody, ListedBody } from '../support/bodies.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { type Client, startTestService, type TestService } from '../support/service.js';
import { storeRows } from '../support/store-rows.js';

const NOWHERE = '00000000-0000-4000-8000-000000000000';

let service: TestService;
let member: Client;
let zone: TestDomain;

beforeAll(async () => {
  service = await startTestService({ DEFAULT__QUOTA_API_EXPORT_SIZE: '6' });
  member = service.as('tenant-m');
});
afterAll(() => service.stop());
beforeEach(async () => {
  zone = await newDomain(member);
});
afterEach(() => audit(service.databaseFile));

const fetchPast = (query: string, client = member): Test =>
  client.call('get', `/v1/domains/${zone.id}/export?${query}`);
const exportAt = async (query: string): Promise<string> => (await answerOf(fetchPast(query))).text;
const fetchDiff = (query: string, client = member): Test => client.call('get', `/v1/domains/${zone.id}/diff?${query}`);
const diffOf = async (from: number, to?: number): Promise<DiffBody['diff']> =>
  (await bodyOf<DiffBody>(fetchDiff(`from=${from}${to === undefined ? '' : `&to=${to}`}`))).diff;
const changeZone = (fields: object): Test => member.call('put', `/v1/domains/${zone.id}`, fields);

/** A zone as it stood, looked at while it stood so. */
interface State {
  readonly serial: number;
  readonly at: string;
  readonly text: string;
  readonly records: readonly ListedBody[];
}

async function look(): Promise<State> {
  const { history } = await bodyOf<HistoryBody>(member.call('get', `/v1/domains/${zone.id}/history?limit=1`));
  const { serial, at } = history[0]!;
  return { serial, at, text: await zone.export(), records: await zone.records() };
}

/** The state after each of the changes, and before the first of them. */
async function statesAfter(...changes: readonly (() => PromiseLike<unknown>)[]): Promise<State[]> {
  const states = [await look()];
  for (const change of changes) {
    await change();
    states.push(await look());
  }
  return states;
}

/** Makes changes of every kind sequentially. */
function story(): Promise<State[]> {
  const ids: string[] = [];
  const add = (fields: object) => async () => void ids.push((await zone.newRecord(fields)).id);
  return statesAfter(
    add({}),
    add({ data: '192.0.2.9', ttl: 60 }),
    add({ name: zone.name, type: 'NS', data: 'ns9.example.net.', ttl: 77 }),
    () => answerOf(zone.update(ids[0]!, { ttl: 30, description: 'web' })),
    () => answerOf(changeZone({ ttl: 1234, email: 'other.person@example.org' })),
    () => answerOf(zone.update(ids[0]!, { name: zone.at('renamed') })),
    () => zone.import('a A 192.0.2.1\nb 300 MX 10 a\nc TXT "some text"\n'),
    () => answerOf(zone.delete(ids[1]!)),
    () => answerOf(zone.delete(ids[2]!)),
    () => zone.import('www A 192.0.2.77\na 5 A 192.0.2.1\n', '?mode=replace'),
    () => answerOf(changeZone({ description: 'not served' })),
  );
}

describe('the export of an earlier state', () => {
  it('11.2 equals the export of that time, under each serial and at each time', async () => {
    const states = await story();
    expect(new Set(states.map(({ text }) => text)).size).toBe(states.length);
    for (const { serial, at, text } of states) {
      expect(await exportAt(`serial=${serial}`)).toBe(text);
      expect(await exportAt(`at=${at}`)).toBe(text);
    }
    expect(await exportAt('at=9999-12-31T23:59:59Z')).toBe(states.at(-1)!.text);
  });

  it("11.2 has the records of the domain's creation, and nothing earlier", async () => {
    const { at, serial } = await look();
    await zone.newRecord();
    expect(await exportAt(`serial=${serial}`)).not.toContain('192.0.2.3');
    expect(await exportAt(`at=${at}`)).not.toContain('192.0.2.3');
    await refusalOf(fetchPast('at=2000-01-01T00:00:00Z'), 404, 'serial_not_found');
    await refusalOf(fetchPast(`serial=${serial - 1}`), 404, 'serial_not_found');
    await refusalOf(fetchPast(`serial=${serial + 1_000_000}`), 404, 'serial_not_found');
  });

  it('11.2 finds serials that the present one has passed by turning over (RFC 1982)', async () => {
    for (const table of ['zones', 'journal']) {
      const column = table === 'zones' ? 'id' : 'zone_id';
      const update = `UPDATE ${table} SET serial = 4294967295 WHERE ${column} = '${zone.id}'`;
      storeRows(service.databaseFile, {}, update);
    }
    const states = await story();
    expect(states[0]!.serial).toBeGreaterThan(states.at(-1)!.serial);
    for (const { serial, text } of states) expect(await exportAt(`serial=${serial}`)).toBe(text);
    for (const serial of [0, 1, 4294967294]) await refusalOf(fetchPast(`serial=${serial}`), 404, 'serial_not_found');
  });

  it('11.2, 11.4 reports expired states as not found, and finds all others', async () => {
    const states = await story();
    const { serial, at } = states[3]!;
    storeRows(
      service.databaseFile,
      {},
      `DELETE FROM journal WHERE zone_id = '${zone.id}' AND number <= ${await numberOf(serial)}`,
    );
    await refusalOf(fetchPast(`serial=${serial}`), 404, 'serial_not_found');
    await refusalOf(fetchPast(`at=${at}`), 404, 'serial_not_found');
    await refusalOf(fetchDiff(`from=${serial}`), 404, 'serial_not_found');
    for (const kept of states.slice(4)) expect(await exportAt(`serial=${kept.serial}`)).toBe(kept.text);
    storeRows(service.databaseFile, {}, `DELETE FROM journal WHERE zone_id = '${zone.id}'`);
    const last = states.at(-1)!;
    expect(await exportAt(`serial=${last.serial}`)).toBe(last.text);
    expect(await exportAt('at=9999-12-31T23:59:59Z')).toBe(last.text);
    expect(await diffOf(last.serial)).toEqual([]);
    await refusalOf(fetchPast(`serial=${states.at(-2)!.serial}`), 404, 'serial_not_found');
    await answerOf(member.call('delete', `/v1/domains/${zone.id}`));
    storeRows(service.databaseFile, {}, `DELETE FROM journal WHERE zone_id = '${zone.id}'`);
  });

  it('11.2, 8.3 applies the export quota to the records of that state', async () => {
    const lines = Array.from({ length: 7 }, (_, at) => `a${at} A 192.0.2.1\n`);
    await zone.import(lines.join(''));
    const { serial } = await zone.now();
    await zone.import(lines.slice(1).join(''), '?mode=replace');
    await answerOf(zone.fetchFile());
    const { message } = await refusalOf(fetchPast(`serial=${serial}`), 413, 'over_quota');
    expect(message).toContain('7');
  });

  it('11.2, 3.2 is shown to its owner', async () => {
    const { serial } = await zone.now();
    const stranger = service.as('tenant-x');
    await refusalOf(fetchPast(`serial=${serial}`, stranger), 404, 'domain_not_found');
    await refusalOf(fetchDiff(`from=${serial}`, stranger), 404, 'domain_not_found');
    await refusalOf(member.call('get', `/v1/domains/${NOWHERE}/diff?from=1`), 404, 'domain_not_found');
    await answerOf(fetchDiff(`from=${serial}`, service).set('X-Auth-All-Projects', 'true'));
  });

  it('11.2 rejects an invalid time', async () => {
    const numbers = ['serial=-1', 'serial=4294967296', 'serial=x', 'serial=', `serial=${'9'.repeat(40)}`, 'serial=1e3'];
    for (const query of [...numbers, 'at=now', 'at=', 'serial=1&at=2026-11-20T08:30:00Z', 'number=1'])
      await refusalOf(fetchPast(query), 400, 'invalid_object');
    for (const query of [
      '',
      'to=1',
      'from=',
      'from=x',
      'from=4294967296',
      'from=1&to=-1',
      'from=1&at=1',
      'from=1&from=2',
    ])
      await refusalOf(fetchDiff(query), 400, 'invalid_object');
  });
});

describe('the difference of two serials', () => {
  it('11.2 leads from one state to another, forwards and backwards', async () => {
    const states = await story();
    for (const [at, from] of states.entries()) {
      const to = states[(at * 5 + 3) % states.length]!;
      const records = new Map(from.records.map((record) => [record.id, contentOf(record)]));
      for (const { action, before, after } of await diffOf(from.serial, to.serial)) {
        expect(action).toBe(before === null ? 'create' : after === null ? 'delete' : 'update');
        const { id } = (before ?? after)!;
        expect(records.get(id)).toEqual(before === null ? undefined : contentOf(before));
        if (after === null) records.delete(id);
        else records.set(id, contentOf(after));
      }
      expect(records).toEqual(new Map(to.records.map((record) => [record.id, contentOf(record)])));
    }
  });

  it('11.2 is net: it omits reverted changes and short-lived records', async () => {
    const kept = await zone.newRecord({ ttl: 300 });
    const { serial } = await zone.now();
    await answerOf(zone.update(kept.id, { ttl: 60 }));
    await answerOf(zone.update(kept.id, { ttl: 300 }));
    await answerOf(zone.delete((await zone.newRecord({ name: zone.at('gone') })).id));
    await answerOf(changeZone({ ttl: 99 }));
    expect(await diffOf(serial)).toEqual([]);
    const { body: after } = await answerOf(zone.update(kept.id, { data: '192.0.2.4' }));
    const before = { ...kept, updated_at: null };
    expect(await diffOf(serial)).toEqual([{ action: 'update', before, after }]);
    expect(await diffOf((await zone.now()).serial, serial)).toEqual([
      { action: 'update', before: after, after: before },
    ]);
  });
});

function contentOf({ name, type, data, priority, ttl, description }: Omit<ListedBody, 'tenant_id' | 'version'>) {
  return { name, type, data, priority, ttl, description };
}

/** The number of the last entry of the change with that serial. */
async function numberOf(serial: number): Promise<number> {
  const { history } = await bodyOf<HistoryBody>(member.call('get', `/v1/domains/${zone.id}/history`));
  return history.find((entry) => entry.serial === serial)!.number;
}
