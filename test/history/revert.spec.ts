import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Test } from 'supertest';
import { answerOf, bodyOf, refusalOf } from '../support/answers.js';
import { audit, contentsOf } from '../support/audit.js';
import type { DiffBody, ListedBody, RecordBody } from '../support/bodies.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { type Client, startTestService, type TestService } from '../support/service.js';

interface RevertBody {
  readonly serial: number;
  readonly changes: readonly { readonly action: string; readonly record: RecordBody }[];
  readonly dry_run?: boolean;
}

let service: TestService;
let member: Client;
let zone: TestDomain;

beforeAll(async () => {
  service = await startTestService({ SERVICE_CENTRAL__MIN_TTL: '30' });
  member = service.as('tenant-m');
});
afterAll(() => service.stop());
beforeEach(async () => {
  zone = await newDomain(member);
});
afterEach(() => audit(service.databaseFile));

const revert = (serial: unknown, query = '', client = member): Test =>
  client.call('post', `/v1/domains/${zone.id}/revert${query}`, { serial });
const reverted = (serial: number, query = ''): Promise<RevertBody> => bodyOf<RevertBody>(revert(serial, query));
const serialNow = async (): Promise<number> => (await zone.now()).serial;
const diffTo = async (serial: number): Promise<DiffBody['diff']> => {
  const path = `/v1/domains/${zone.id}/diff?from=${await serialNow()}&to=${serial}`;
  return (await bodyOf<DiffBody>(member.call('get', path))).diff;
};
/** Published and visible fields of records, by id. */
const contentsById = async (): Promise<Record<string, unknown>> =>
  Object.fromEntries((await zone.records()).map((record) => [record.id, contentOf(record)]));

function contentOf({ name, type, data, priority, ttl, description, created_at }: ListedBody) {
  return { name, type, data, priority, ttl, description, created_at };
}

describe('a revert', () => {
  it('11.3 restores the records, under their ids, in one change', async () => {
    const kept = await zone.newRecord({ ttl: 300 });
    const gone = await zone.newRecord({ name: zone.at('gone'), type: 'MX', data: 'mx.example.net.', priority: 5 });
    const [serial, then] = [await serialNow(), await contentsById()];
    await answerOf(zone.update(kept.id, { name: zone.at('moved'), description: 'moved' }));
    await answerOf(zone.delete(gone.id));
    await zone.import('new A 192.0.2.9\nwww AAAA 2001:db8::1\n');
    const diff = await diffTo(serial);
    const { changes, serial: after, dry_run } = await reverted(serial);
    expect(dry_run).toBeUndefined();
    expect(await contentsById()).toEqual(then);
    expect(after).toBe(await serialNow());
    expect(changes.map(({ action, record }) => [action, record.id])).toEqual(
      diff.map((entry) => [entry.action, (entry.before ?? entry.after)!.id]),
    );
    const back = (await zone.records()).find(({ id }) => id === gone.id)!;
    expect(back).toMatchObject({ version: 2, created_at: gone.created_at });
    expect(back.updated_at).not.toBeNull();
    expect(await diffTo(serial)).toEqual([]);
  });

  it('11.3 can itself be reverted, forwards and backwards, any number of times', async () => {
    const serials = [await serialNow()];
    const states = [await contentsById()];
    const note = async (): Promise<void> => {
      serials.push(await serialNow());
      states.push(await contentsById());
    };
    const { id } = await zone.newRecord();
    await note();
    await answerOf(zone.delete(id));
    await zone.newRecord({ type: 'CNAME', data: 'elsewhere.example.net.' });
    await note();
    await zone.import('a A 192.0.2.1\nb A 192.0.2.2\n', '?mode=replace');
    await note();
    for (const at of [0, 2, 1, 3, 0, 1, 2, 0, 3]) {
      await reverted(serials[at]!);
      expect(await contentsById()).toEqual(states[at]);
    }
    const versions = (await zone.records()).map(({ version }) => version);
    expect(Math.min(...versions)).toBeGreaterThan(1);
  });

  it('11.3, 9.3 stores nothing in a dry run, and moves no serial where nothing differs', async () => {
    const serial = await serialNow();
    const { id } = await zone.newRecord();
    const before = contentsOf(service.databaseFile);
    expect(await reverted(serial, '?dry_run=true')).toMatchObject({
      dry_run: true,
      changes: [{ action: 'delete', record: { id } }],
    });
    const present = await serialNow();
    expect(await reverted(present)).toEqual({ serial: present, changes: [] });
    expect(contentsOf(service.databaseFile)).toEqual(before);
  });

  it("11.3 is refused by today's rules, and then changes nothing", async () => {
    const admin = {
      call: (...args: Parameters<Client['call']>) => service.call(...args).set('X-Auth-Sudo-Tenant-ID', 'tenant-m'),
    };
    const low = await bodyOf(
      admin.call('post', `/v1/domains/${zone.id}/records`, {
        name: zone.at('low'),
        type: 'A',
        data: '192.0.2.1',
        ttl: 1,
      }),
    );
    await zone.newRecord({ name: zone.at('sub.child') });
    const serial = await serialNow();
    for (const { id } of await zone.records()) await answerOf(zone.delete(id));
    const child = await newDomain(member, zone.at('child'));
    const before = contentsOf(service.databaseFile);
    const { errors } = await refusalOf(revert(serial), 400, 'invalid_ttl');
    expect(errors!.every(({ path }) => path.startsWith('diff['))).toBe(true);
    await refusalOf(revert(serial, '', admin), 400, 'invalid_recordset_location');
    expect(contentsOf(service.databaseFile)).toEqual(before);
    await answerOf(member.call('delete', `/v1/domains/${child.id}`));
    await answerOf(revert(serial, '', admin));
    expect(Object.keys(await contentsById())).toContain(low.id);
  });

  it('11.3 restores deleted records under concurrent changes', async () => {
    const first = await zone.newRecord();
    const serial = await serialNow();
    await answerOf(zone.delete(first.id));
    const others = Array.from({ length: 8 }, (_, at) =>
      zone.create({ name: zone.at(`o${at}`), type: 'A', data: '192.0.2.7' }),
    );
    const answers = await Promise.all([...others, ...Array.from({ length: 4 }, () => revert(serial))]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await reverted(serial);
    expect(Object.keys(await contentsById())).toEqual([first.id]);
  });

  it('11.3 does not reach into a deleted domain of the same name', async () => {
    await zone.newRecord();
    const serial = await serialNow();
    await answerOf(member.call('delete', `/v1/domains/${zone.id}`));
    await refusalOf(revert(serial), 404, 'domain_not_found');
    zone = await newDomain(member, zone.name);
    const own = await serialNow();
    if (own !== serial) await refusalOf(revert(serial), 404, 'serial_not_found');
    expect(await zone.records()).toEqual([]);
  });

  it('11.3 rejects invalid serials and other tenants', async () => {
    for (const serial of [undefined, null, '1', 1.5, -1, 4294967296]) {
      const { errors } = await refusalOf(revert(serial), 400, 'invalid_object');
      expect(errors).toMatchObject([{ path: 'serial' }]);
    }
    await refusalOf(revert(1, '?dry_run=yes'), 400, 'invalid_object');
    await refusalOf(revert(1), 404, 'serial_not_found');
    await refusalOf(revert(await serialNow(), '', service.as('tenant-x')), 404, 'domain_not_found');
    await refusalOf(revert(await serialNow(), '', service.as('tenant-m', 'reader')), 401, 'access_denied');
  });
});
