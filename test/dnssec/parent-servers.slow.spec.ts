import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest } from '@jest/globals';
import { Scheduler } from '../../src/background/scheduler.js';
import { AUDIT_ON, auditPage } from '../support/audit-entries.js';
import { answerOf, refusalOf } from '../support/answers.js';
import type { AssembledService } from '../support/assembled-service.js';
import { DnssecInTime, dnssecPath } from '../support/dnssec-in-time.js';
import { freshName, newDomain, type TestDomain } from '../support/domain.js';
import {
  dsyncLine,
  itAtPort53,
  MAY_LISTEN_AT_53,
  NotifyListener,
  ownAddresses,
  PARENT_SERVERS,
  ParentZone,
} from '../support/parent-servers.js';
import { isInstalled } from '../support/run-program.js';
import { assembleSigningService } from '../support/signing-service.js';
import { SteppedClock } from '../support/stepped-clock.js';
import { until } from '../support/until.js';
import { UNBOUND, ValidatingResolver } from '../support/validating-resolver.js';

jest.setTimeout(240_000);

const PROGRAMS = { name: 'knotd, NSD and unbound', needs: { ...PARENT_SERVERS.needs, ...UNBOUND.needs } };
const IS_POSSIBLE = isInstalled(PROGRAMS) && MAY_LISTEN_AT_53;
const itWithServers = itAtPort53(PROGRAMS);
const SECOND = 1_000_000;
const HOUR = 3600;
/** In seconds: of the old DS, and of the new one. */
const TTL = { old: 900, made: 300 };

const clock = new SteppedClock();
let directory: string;
let service: AssembledService;
let time: DnssecInTime;
let parent: ParentZone;
let resolver: ValidatingResolver;
let listener: NotifyListener;

beforeAll(async () => {
  if (!IS_POSSIBLE) return;
  directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
  const [first = '', second = '', third = ''] = ownAddresses(3);
  listener = await NotifyListener.start(third);
  const name = freshName().slice(0, -1);
  parent = await ParentZone.start(
    name,
    [first, second],
    [`notified.${name}. 300 A ${third}`, dsyncLine(`*._dsync.${name}.`, listener.port, `notified.${name}.`)],
  );
  resolver = await ValidatingResolver.start({
    ...{ directory, anchor: parent.anchor, zones: [name], servers: parent.addresses.map((one) => `${one}@53`) },
  });
  service = await assembleSigningService(
    {
      ...AUDIT_ON,
      SERVICE_CENTRAL__SOA_MINIMUM: '1',
      SERVICE_DNSSEC__RESOLVER: `127.0.0.1:${resolver.port}`,
      SERVICE_DNSSEC__ALLOW_PARENTS: '127.0.0.0/8',
    },
    clock,
  );
  time = new DnssecInTime(service, clock);
});
afterAll(async () => {
  if (!IS_POSSIBLE) return;
  await service.stop();
  await resolver.stop();
  await parent.stop();
  listener.stop();
  await rm(directory, { recursive: true, force: true });
});
beforeEach(() => {
  if (IS_POSSIBLE) listener.heard.length = 0;
});
afterEach(async () => {
  if (IS_POSSIBLE) await parent.serveAll([]);
});

async function readyZone(): Promise<TestDomain> {
  const zone = await newDomain(service, `child-${randomBytes(4).toString('hex')}.${parent.name}.`, { ttl: 60 });
  await answerOf(service.call('put', dnssecPath(zone), { enabled: true }));
  await time.reach(zone, ({ state, parent: seen }) => state === 'ready' && seen !== null);
  return zone;
}

const linesOf = (zone: TestDomain, ds: readonly string[], ttl: number): string[] => [
  `${zone.name} 300 NS ns1.example.net.`,
  ...ds.map((data) => `${zone.name} ${ttl} DS ${data}`),
];

describe('23.10, 23.12: a parent zone on name servers of others', () => {
  itWithServers(
    '23.10: looks for the DS at every name server of the parent, and goes on when all of them have it',
    async () => {
      const zone = await readyZone();
      const [first = ''] = parent.addresses;
      const before = await time.shown(zone);
      expect(before.parent).toMatchObject({
        ...{ zone: `${parent.name}.`, hosted: false, ds: [], matches: null, resolver: 'secure', problem: null },
        servers: ['ns1', 'ns2'].map((label) => ({ name: `${label}.${parent.name}.`, ds: [], error: null })),
      });
      expect(before.waits_for).toBe(
        `the parent zone must have one of the DS records: 0 of 2 name servers of ${parent.name}. have it`,
      );

      await parent.serve(first, linesOf(zone, before.ds, TTL.old));
      const half = await time.reach(zone, ({ waits_for: wait }) => wait?.includes('1 of 2') === true);
      expect(half).toMatchObject({ state: 'ready', parent: { ds: null, matches: null } });

      await parent.serveAll(linesOf(zone, before.ds, TTL.old));
      const secure = await time.reach(zone, ({ state }) => state === 'secure');
      expect(secure.waits_for).toBeNull();
      const after = await time.reach(zone, ({ parent: seen }) => seen?.matches === true);
      expect(after.parent?.ds).toEqual([...before.ds].sort());
      const { audit } = await auditPage(service, 'action=dnssec.parent');
      expect(audit).toContainEqual(
        expect.objectContaining({ actor: expect.objectContaining({ user: 'signer' }), details: { ds: 'published' } }),
      );
    },
  );

  itWithServers(
    '23.9, 23.10: swaps the DS in a rollover, and waits for the longer ttl of both after the last server has the new one',
    async () => {
      const zone = await readyZone();
      const [first = ''] = parent.addresses;
      await parent.serveAll(linesOf(zone, (await time.shown(zone)).ds, TTL.old));
      await time.reach(zone, ({ state }) => state === 'secure');
      await answerOf(service.call('post', `${dnssecPath(zone)}/rollovers`, { key: 'csk' }));
      const swapping = await time.reach(
        zone,
        ({ rollover, waits_for: wait }) => rollover?.step === 'swap' && wait?.includes('0 of 2') === true,
      );
      expect(swapping.waits_for).toBe(
        'the parent zone must replace the DS of the old key by the DS of the new key:' +
          ` 0 of 2 name servers of ${parent.name}. have it`,
      );
      await parent.serve(first, linesOf(zone, swapping.ds, TTL.made));
      await time.reach(zone, ({ waits_for: wait }) => wait?.includes('1 of 2') === true);
      await time.pass(10 * HOUR);
      expect((await time.shown(zone)).rollover?.step).toBe('swap');

      await parent.serveAll(linesOf(zone, swapping.ds, TTL.made));
      const seen = await time.reach(zone, ({ waits_for: wait }) => wait?.startsWith('caches may have') === true);
      const since = clock.instant;
      await time.reach(zone, ({ rollover }) => rollover?.step !== 'swap');
      // The time that had passed when the servers were found to agree counts.
      expect(clock.instant - since).toBeGreaterThanOrEqual((TTL.old - 120) * SECOND);
      expect(seen.parent?.ds).toEqual([...swapping.ds].sort());
      expect(await time.reach(zone, ({ rollover }) => rollover === null)).toMatchObject({ state: 'secure' });
    },
  );

  itWithServers(
    '23.3, 23.10: ends signing when no server has the DS any more, and not where one has it again',
    async () => {
      const zone = await readyZone();
      const { ds } = await time.shown(zone);
      await parent.serveAll(linesOf(zone, ds, TTL.old));
      await time.reach(zone, ({ state }) => state === 'secure');
      await answerOf(service.call('put', dnssecPath(zone), { enabled: false }));
      const leaving = await time.reach(zone, ({ waits_for: wait }) => wait?.includes('name servers') === true);
      expect(leaving.waits_for).toBe(
        `the parent zone must delete the DS records: 0 of 2 name servers of ${parent.name}. have none`,
      );
      await parent.serveAll(linesOf(zone, [], 0));
      await time.reach(zone, ({ waits_for: wait }) => wait?.startsWith('caches may have the DS until') === true, 5);
      await parent.serveAll(linesOf(zone, ds, TTL.old));
      await time.reach(zone, ({ waits_for: wait }) => wait?.includes('0 of 2') === true, 5);
      await time.pass(2 * TTL.old);
      expect((await time.shown(zone)).state).toBe('leaving');
      await parent.serveAll(linesOf(zone, [], 0));
      await time.reach(zone, ({ state }) => state === 'insecure');
    },
  );

  itWithServers('23.10: a DS of another key is shown, counted, and followed by nothing', async () => {
    const zone = await readyZone();
    const { ds } = await time.shown(zone);
    const others = ds.map((data) => data.replace(/[0-9a-f]{8}$/, '00000000'));
    await parent.serveAll(linesOf(zone, others, TTL.old));
    expect(await time.reach(zone, ({ parent: seen }) => seen?.matches === false)).toMatchObject({ state: 'ready' });
    await service.get(Scheduler).runNow('dnssec.parent_figures');
    const { text } = await answerOf(service.call('get', '/metrics'));
    expect(text).toMatch(/^zonewright_dnssec_ds_mismatch 1$/m);
    expect(text).toMatch(/^zonewright_dnssec_parent_looks_total\{result="agreed"\} \d+$/m);
  });

  itWithServers(
    '23.3: rejects statements that contradict the observed parent, and checks the parent immediately',
    async () => {
      const zone = await readyZone();
      const { ds } = await time.shown(zone);
      const say = (what: string) => service.call('post', `${dnssecPath(zone)}/parent`, { ds: what });
      await refusalOf(say('published'), 409, 'dnssec_conflict');
      // A check that starts now would find one server changed and the other unchanged.
      await time.pass(0);
      await parent.serveAll(linesOf(zone, ds, TTL.old));
      // The next look would be in an hour at most.
      await refusalOf(say('published'), 409, 'dnssec_conflict');
      await time.pass(0);
      expect(await time.shown(zone)).toMatchObject({ parent: { matches: true } });
      // The resolver may have the earlier answer cached.
      await time.reach(zone, ({ state }) => state === 'secure');
    },
  );

  itWithServers(
    '23.12: tells a parent that has DSYNC of changed CDS, once all name servers have it, until it answers',
    async () => {
      listener.isAnswering = false;
      const zone = await readyZone();
      const heard = (): string[] =>
        listener.heard.map(
          ({ header, questions: [question] }) => `${header.opcode} ${question?.type} ${question?.name.toString()}`,
        );
      await until(async () => {
        await time.pass(60);
        return heard().length >= 2;
      });
      expect(new Set(heard())).toEqual(new Set([`4 59 ${zone.name}`]));
      listener.isAnswering = true;
      await time.pass(HOUR);
      const told = heard().length;
      await time.pass(HOUR);
      await time.pass(HOUR);
      expect(heard()).toHaveLength(told);
      await answerOf(service.call('put', dnssecPath(zone), { enabled: false }));
      await until(async () => {
        await time.sign(zone);
        await time.pass(60);
        return heard().length > told;
      });
    },
  );
});
