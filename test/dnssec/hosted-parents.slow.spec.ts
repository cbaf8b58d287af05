import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Scheduler } from '../../src/background/scheduler.js';
import { answerOf, bodyOf, expectStatus, refusalOf } from '../support/answers.js';
import type { AssembledService } from '../support/assembled-service.js';
import type { RecordBody } from '../support/bodies.js';
import { DnssecInTime, dnssecPath } from '../support/dnssec-in-time.js';
import { freshName, newDomain, type TestDomain } from '../support/domain.js';
import { assembleSigningService } from '../support/signing-service.js';
import { SteppedClock } from '../support/stepped-clock.js';
import { until } from '../support/until.js';

jest.setTimeout(240_000);

const SECOND = 1_000_000;
/** As it is configured. */
const NAME_SERVER = 'ns1.example.net.';
const SIGNALS = `_signal.${NAME_SERVER}`;
const TTL = 600;

const clock = new SteppedClock();
let service: AssembledService;
let time: DnssecInTime;
let signals: TestDomain;

beforeAll(async () => {
  service = await assembleSigningService(
    {
      SERVICE_CENTRAL__NAME_SERVERS: `${NAME_SERVER},ns2.example.net.`,
      SERVICE_CENTRAL__SOA_MINIMUM: '1',
      SERVICE_DNSSEC__SIGNAL_ZONES: SIGNALS,
    },
    clock,
  );
  time = new DnssecInTime(service, clock);
  signals = await newDomain(service, SIGNALS);
});
afterAll(() => service.stop());

interface Family {
  readonly parent: TestDomain;
  readonly child: TestDomain;
}

async function family(delegatedTo = NAME_SERVER): Promise<Family> {
  const parent = await newDomain(service, freshName(), { ttl: TTL });
  const child = await newDomain(service, `child.${parent.name}`, { ttl: TTL });
  if (delegatedTo !== '') await parent.newRecord({ name: child.name, type: 'NS', data: delegatedTo });
  await answerOf(service.call('put', dnssecPath(child), { enabled: true }));
  return { parent, child };
}

/** The data of the DS records that the parent has. */
async function dsIn({ parent, child }: Family): Promise<string[]> {
  const { body } = await answerOf(parent.list(`?type=DS&name=${child.name}`));
  return (body as { records: RecordBody[] }).records.map(({ data }) => data);
}

async function signalsOf({ name }: TestDomain): Promise<string[]> {
  const owner = `_dsboot.${name}${SIGNALS}`;
  const { body } = await answerOf(signals.list(`?name=${owner}`));
  return (body as { records: RecordBody[] }).records.map(({ type }) => type).sort();
}

const sha256 = (ds: readonly string[]): string[] => ds.filter((data) => data.split(' ')[2] === '2');

describe('a domain whose parent is here as well', () => {
  it('23.11: gets its DS there when ready, and a new DS in each rollover', async () => {
    const of = await family();
    const { parent, child } = of;
    await time.reach(child, ({ state }) => state === 'proving');
    expect(await dsIn(of)).toEqual([]);
    const secure = await time.reach(child, ({ state }) => state === 'secure');
    expect(await dsIn(of)).toEqual(sha256(secure.ds));
    expect(secure.parent).toMatchObject({ zone: parent.name, hosted: true, ds: sha256(secure.ds) });
    // Rule 23.15.
    expect(secure.parent?.servers).toMatchObject([{ name: 'this service', ns: [NAME_SERVER], error: null }]);
    const history = await bodyOf<{ changes: { message: string | null; user: string | null }[] }>(
      service.call('get', `/v1/domains/${parent.id}/changes`),
    );
    expect(history.changes[0]).toMatchObject({ message: `DS of ${child.name}` });

    await answerOf(service.call('post', `${dnssecPath(child)}/rollovers`, { key: 'csk' }));
    const swapping = await time.reach(child, ({ rollover }) => rollover?.step === 'swap', 30);
    await time.pass(1);
    expect(await dsIn(of)).toEqual(sha256(swapping.ds));
    expect(await dsIn(of)).not.toEqual(sha256(secure.ds));
    const since = clock.instant;
    const after = await time.reach(child, ({ rollover }) => rollover?.step !== 'swap', 30);
    expect(clock.instant - since).toBeGreaterThanOrEqual((TTL - 60) * SECOND);
    expect(after.state).toBe('secure');
    await time.reach(child, ({ rollover }) => rollover === null);
  });

  it('23.3, 23.11: loses its DS first when it is to be unsigned, and its signatures after the ttl of that', async () => {
    const of = await family();
    await time.reach(of.child, ({ state }) => state === 'secure');
    await answerOf(service.call('put', dnssecPath(of.child), { enabled: false }));
    await time.pass(1);
    expect(await dsIn(of)).toEqual([]);
    const since = clock.instant;
    await time.reach(of.child, ({ state }) => state === 'insecure', 30);
    expect(clock.instant - since).toBeGreaterThanOrEqual((TTL - 60) * SECOND);
  });

  it('23.11: restores a deleted DS', async () => {
    const of = await family();
    const { ds } = await time.reach(of.child, ({ state }) => state === 'secure');
    const { body } = await answerOf(of.parent.list(`?type=DS&name=${of.child.name}`));
    for (const { id } of (body as { records: RecordBody[] }).records) await answerOf(of.parent.delete(id));
    await time.pass(6 * 3600);
    expect(await dsIn(of)).toEqual(sha256(ds));
    expect(await time.shown(of.child)).toMatchObject({ state: 'secure' });
  });

  it('23.11: reports a missing or foreign delegation and has no DS there', async () => {
    const undelegated = await family('');
    const ready = await time.reach(undelegated.child, ({ state, parent }) => state === 'ready' && parent !== null);
    expect(ready.waits_for).toBe(
      `the parent zone must have one of the DS records: ${undelegated.parent.name} has no NS records for ${undelegated.child.name}`,
    );
    const elsewhere = await family('ns.example.com.');
    const waiting = await time.reach(elsewhere.child, ({ state, parent }) => state === 'ready' && parent !== null);
    expect(waiting.waits_for).toMatch(/delegates \S+ to name servers that \S+ does not have$/);
    expect(await dsIn(elsewhere)).toEqual([]);
    // The service cannot check this parent, so the user confirms.
    await answerOf(service.call('post', `${dnssecPath(elsewhere.child)}/parent`, { ds: 'published' }));
    expect(await time.shown(elsewhere.child)).toMatchObject({ state: 'secure' });
  });

  it('23.11: keeps DS of other digests that people have set', async () => {
    const of = await family('');
    const { ds } = await time.reach(of.child, ({ state }) => state === 'ready');
    await of.parent.newRecord({ name: of.child.name, type: 'NS', data: NAME_SERVER });
    for (const data of ds) await of.parent.newRecord({ name: of.child.name, type: 'DS', data });
    await time.reach(of.child, ({ state }) => state === 'secure', 3600);
    expect((await dsIn(of)).sort()).toEqual([...ds].sort());
  });

  it('23.7, 23.11: removes it on deletion', async () => {
    const of = await family();
    await time.reach(of.child, ({ state }) => state === 'secure');
    await refusalOf(service.call('delete', `/v1/domains/${of.child.id}`), 409, 'dnssec_conflict');
    expectStatus(await service.call('delete', `/v1/domains/${of.child.id}?force=true`), 200);
    await until(async () => {
      await service.get(Scheduler).runNow('dnssec.comparison');
      await time.pass(1);
      return (await dsIn(of)).length === 0;
    });
  });
});

describe('signals', () => {
  it('23.13: of a domain without a DS are in the zone of each hosted name server, and deleted once the DS exists', async () => {
    const zone = await newDomain(service);
    await answerOf(service.call('put', dnssecPath(zone), { enabled: true }));
    await time.reach(zone, ({ state }) => state === 'proving');
    expect(await signalsOf(zone)).toEqual([]);
    await time.reach(zone, ({ state }) => state === 'ready');
    await time.sign(zone);
    await until(async () => {
      await time.pass(60);
      return (await signalsOf(zone)).length > 0;
    });
    expect(await signalsOf(zone)).toEqual(['CDNSKEY', 'CDS']);
    await answerOf(service.call('post', `${dnssecPath(zone)}/parent`, { ds: 'published' }));
    await time.pass(1);
    expect(await signalsOf(zone)).toEqual([]);
  });

  it('23.13: of a deleted domain are removed; a domain with other name servers has none', async () => {
    const zone = await newDomain(service);
    const other = await newDomain(service, freshName());
    await answerOf(service.call('put', `/v1/domains/${other.id}`, { name_servers: ['ns.example.com.'] }));
    for (const one of [zone, other]) await answerOf(service.call('put', dnssecPath(one), { enabled: true }));
    for (const one of [zone, other]) await time.reach(one, ({ state }) => state === 'ready');
    await until(async () => {
      await time.sign(zone);
      await time.pass(60);
      return (await signalsOf(zone)).length > 0;
    });
    expect(await signalsOf(other)).toEqual([]);
    expectStatus(await service.call('delete', `/v1/domains/${zone.id}`), 200);
    await until(async () => {
      await service.get(Scheduler).runNow('dnssec.comparison');
      await time.pass(1);
      return (await signalsOf(zone)).length === 0;
    });
  });
});
