import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { audit } from '../support/audit.js';
import { answerOf, bodyOf } from '../support/answers.js';
import { domainOf, newDomain, type TestDomain } from '../support/domain.js';
import { queryPostgres } from '../support/postgres/databases.js';
import { type ServiceProcess, startServiceProcess } from '../support/process.js';
import {
  type Client,
  clientsOf,
  type Clients,
  databaseFileIn,
  environmentOf,
  removeTestData,
} from '../support/service.js';
import { times } from '../support/length.js';

const PROCESSES = 4;
const ROUNDS = times(8, 500);
/** Parallel creates in each round, and how many of them a quota allows. */
const CREATES = 8;
const LIMIT = 5;

/** Changes that wait for the journal. */
const HELD_WRITES = "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'journal'::regclass";

let directory: string;
let processes: ServiceProcess[];
let doors: Clients[];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-processes-'));
  const env = environmentOf(directory, {
    SERVICE_API__ENABLE_API_ADMIN: 'True',
    SERVICE_API__ENABLED_EXTENSIONS_ADMIN: 'quotas',
  });
  // All processes start on an empty database: one migrates it, the others wait.
  processes = await Promise.all(Array.from({ length: PROCESSES }, () => startServiceProcess(directory, env)));
  doors = processes.map(({ url }) => clientsOf(url));
});
afterAll(async () => {
  for (const { signal, ended } of processes) {
    signal('SIGTERM');
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
  }
  await removeTestData(directory);
});
afterEach(() => audit(databaseFileIn(directory)));

/** Sends `count` requests concurrently over the processes, and returns their statuses in order. */
async function statusesOf(
  count: number,
  send: (door: Clients, at: number) => PromiseLike<{ status: number }>,
): Promise<number[]> {
  const answers = Array.from({ length: count }, (_, at) => send(doors[at % PROCESSES]!, at));
  return (await Promise.all(answers)).map(({ status }) => status);
}

const sorted = (statuses: number[]): number[] => [...statuses].sort((one, other) => one - other);
const at = (door: Client, domain: TestDomain): TestDomain => domainOf(door, domain);
const createDomain = (door: Clients, tenant: string, name: string) =>
  door.as(tenant).call('post', '/v1/domains', { name, email: 'hostmaster@example.org' });

describe(`18.4 ${String(PROCESSES)} processes on one PostgreSQL, ${String(ROUNDS)} rounds`, () => {
  const LONG = 30_000 + ROUNDS * 2000;

  it(
    '5.5 stores one of several identical records created concurrently',
    async () => {
      const domain = await newDomain(doors[0]!);
      for (let round = 0; round < ROUNDS; round++) {
        const name = domain.at(`r${String(round)}`);
        const spellings = ['2001:db8::1', '2001:DB8::1', '2001:db8:0::1', '2001:db8:0:0:0:0:0:1'];
        const statuses = await statusesOf(8, (door, n) =>
          at(door, domain).create({ name, type: 'AAAA', data: spellings[n % 4] }),
        );
        expect(sorted(statuses)).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
      }
      expect(await domain.records()).toHaveLength(ROUNDS);
    },
    LONG,
  );

  it(
    '5.6 never stores a CNAME together with other records created concurrently',
    async () => {
      const domain = await newDomain(doors[0]!);
      for (let round = 0; round < ROUNDS; round++) {
        const name = domain.at(`r${String(round)}`);
        const types = ['CNAME', 'A', 'CNAME', 'A', 'A', 'CNAME', 'A', 'CNAME'];
        const statuses = await statusesOf(8, (door, n) =>
          at(door, domain).create({
            name,
            type: types[n],
            data: types[n] === 'A' ? `192.0.2.${String(n)}` : `c${String(n)}.example.org.`,
          }),
        );
        const accepted = types.filter((_, n) => statuses[n] === 200);
        expect([['CNAME'], ['A', 'A', 'A', 'A']]).toContainEqual(accepted);
        expect(statuses.filter((status) => status !== 200 && status !== 400)).toEqual([]);
      }
    },
    LONG,
  );

  it(
    '6.2, 6.1 answers concurrent updates and deletes of one record by the state they found',
    async () => {
      const domain = await newDomain(doors[0]!);
      for (let round = 0; round < ROUNDS; round++) {
        const { id } = await bodyOf(domain.create({ name: domain.at(`r${String(round)}`), type: 'TXT', data: 'x' }));
        const statuses = await statusesOf(6, (door, n) =>
          n < 4 ? at(door, domain).update(id, { data: `text ${String(n)}` }) : at(door, domain).delete(id),
        );
        expect(sorted(statuses.slice(4))).toEqual([200, 404]);
        expect(statuses.slice(0, 4).filter((status) => status !== 200 && status !== 404)).toEqual([]);
      }
      expect(await domain.records()).toEqual([]);
    },
    LONG,
  );

  it(
    '10.2 of equal requests with one key exactly one is carried out, by any process',
    async () => {
      const domain = await newDomain(doors[0]!);
      for (let round = 0; round < ROUNDS; round++) {
        const body = { name: domain.at(`r${String(round)}`), type: 'A', data: '192.0.2.1' };
        const key = `round-${String(round)}`;
        const answers = await Promise.all(
          Array.from({ length: 8 }, (_, n) =>
            at(doors[n % PROCESSES]!, domain)
              .create(body)
              .set('Idempotency-Key', key),
          ),
        );
        const first = answers.filter((one) => one.status === 200 && one.headers['idempotent-replayed'] === undefined);
        expect(first).toHaveLength(1);
        for (const other of answers.filter((one) => one !== first[0]))
          if (other.status === 200) expect(other.body).toEqual(first[0]?.body);
          else expect(other.body).toMatchObject({ code: 409, type: 'request_in_progress' });
      }
      expect(await domain.records()).toHaveLength(ROUNDS);
    },
    LONG,
  );

  it(
    '10.1 of changes with the same entity tag exactly one succeeds, by any process',
    async () => {
      const domain = await newDomain(doors[0]!);
      const { id } = await domain.newRecord();
      for (let round = 0; round < ROUNDS; round++) {
        const { etag = '' } = (await answerOf(domain.get(id))).headers;
        const statuses = await statusesOf(8, (door, n) =>
          at(door, domain)
            .update(id, { ttl: 60 + 8 * round + n })
            .set('If-Match', etag),
        );
        expect(sorted(statuses)).toEqual([200, 412, 412, 412, 412, 412, 412, 412]);
      }
    },
    LONG,
  );

  it('10.2 a key that another process is about to answer is 409 with Retry-After', async () => {
    const domain = await newDomain(doors[0]!);
    const body = { name: domain.at('www'), type: 'A', data: '192.0.2.1' };
    const send = (door: Clients) => at(door, domain).create(body).set('Idempotency-Key', 'held');
    const database = databaseFileIn(directory);
    queryPostgres(database, 'BEGIN');
    queryPostgres(database, 'LOCK TABLE journal IN SHARE MODE');
    const first = answerOf(send(doors[0]!));
    while (queryPostgres(database, HELD_WRITES).length === 0) await delay(10);
    const other = await answerOf(send(doors[1]!), 409);
    expect(other.body).toMatchObject({ type: 'request_in_progress' });
    expect(other.headers['retry-after']).toBe('2');
    queryPostgres(database, 'ROLLBACK');
    const { body: made } = await first;
    const again = await answerOf(send(doors[1]!));
    expect(again.body).toEqual(made);
    expect(again.headers['idempotent-replayed']).toBe('true');
  });

  it(
    '8.3 zones: exactly as many as are allowed succeed',
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const tenant = `zones-${String(round)}`;
        await doors[0]!.call('patch', `/admin/quotas/${tenant}`, { quota: { zones: LIMIT } });
        const statuses = await statusesOf(CREATES, (door, n) =>
          createDomain(door, tenant, `z${String(n)}-${String(round)}.example.`),
        );
        expect(sorted(statuses)).toEqual([200, 200, 200, 200, 200, 413, 413, 413]);
      }
    },
    LONG,
  );

  it.each([
    ['zone_records', (name: string, n: number) => ({ name, type: 'TXT', data: `text ${String(n)}` })],
    ['zone_recordsets', (name: string, n: number) => ({ name: `n${String(n)}.${name}`, type: 'A', data: '192.0.2.1' })],
    ['recordset_records', (name: string, n: number) => ({ name, type: 'A', data: `192.0.2.${String(n)}` })],
  ])(
    '8.3 %s: exactly as many as are allowed succeed',
    async (quota, record) => {
      const tenant = `tenant-${quota}`;
      await doors[0]!.call('patch', `/admin/quotas/${tenant}`, { quota: { [quota]: LIMIT } });
      for (let round = 0; round < ROUNDS; round++) {
        const domain = await newDomain(doors[round % PROCESSES]!.as(tenant));
        const statuses = await statusesOf(CREATES, (door, n) =>
          at(door.as(tenant), domain).create(record(domain.name, n)),
        );
        expect(sorted(statuses)).toEqual([200, 200, 200, 200, 200, 413, 413, 413]);
      }
    },
    LONG,
  );

  it(
    '8.2 keeps all limits set concurrently by several processes',
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const path = `/admin/quotas/given-${String(round)}`;
        const said = [{ zones: 1 }, { zone_records: 2 }, { zone_recordsets: 3 }, { recordset_records: 4 }];
        await statusesOf(4, (door, n) => door.call('patch', path, { quota: said[n] }));
        const { quota } = await bodyOf<{ quota: object }>(doors[0]!.call('get', path));
        expect(quota).toMatchObject({ zones: 1, zone_records: 2, zone_recordsets: 3, recordset_records: 4 });
      }
    },
    LONG,
  );

  it(
    '7.1 creates exactly one of two equal names, and of a parent and a child of two tenants',
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const parent = `tree${String(round)}.example.`;
        const same = await statusesOf(4, (door, n) =>
          createDomain(door, `tenant-${String(n)}`, `same${String(round)}.example.`),
        );
        expect(sorted(same)).toEqual([200, 409, 409, 409]);
        const names = round % 2 === 0 ? [parent, `a.b.${parent}`] : [`a.b.${parent}`, parent];
        const tree = await statusesOf(2, (door, n) => createDomain(door, `tenant-${String(n)}`, names[n]!));
        expect(sorted(tree)).toEqual([200, 400]);
      }
    },
    LONG,
  );

  it(
    '5.7, 7.3 never creates both a child domain and a parent record inside it; 7.1 never deletes a parent with a new child',
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const parent = await newDomain(doors[0]!);
        const child = parent.at('child');
        const [made, record, removed] = await statusesOf(3, (door, n) =>
          n === 0
            ? createDomain(door, 'tenant-a', child)
            : n === 1
              ? at(door, parent).create({ name: `www.${child}`, type: 'A', data: '192.0.2.1' })
              : door.call('delete', `/v1/domains/${parent.id}`),
        );
        // Either may come first, unless the parent was deleted before.
        if (made === 400) expect(record).toBe(200);
        else expect(made).toBe(200);
        expect([200, 400, 404]).toContain(record);
        expect([200, 400]).toContain(removed);
      }
    },
    LONG,
  );
});
