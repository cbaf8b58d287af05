import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Clock, type Instant } from '../../src/common/clock.js';
import { DomainName } from '../../src/dns/name.js';
import type { ResourceRecord } from '../../src/dns/message/message.js';
import { type Copy, type PublishedZone, ZoneSource } from '../../src/publishing/transfers/zone-source.js';
import { answerOf } from '../support/answers.js';
import { assembleTestService, type AssembledService } from '../support/assembled-service.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { storeRows } from '../support/store-rows.js';
import { recordsOfFile } from '../support/zone-records.js';
import { holdsFor, times } from '../support/length.js';
import { applyDifference, textOf } from './apply-difference.js';
import { anyChange, type RandomChange, removeZone } from '../support/random-changes.js';
import { linesOfRecords, recordsOf } from './read-copy.js';

const SETTINGS = { SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1', DEFAULT__QUOTA_API_EXPORT_SIZE: '1000000' };
const PRESENT = new AbortController().signal;
/** Seconds until serials that are times turn over (RFC 1982). */
const LEFT = 25;
const REMEMBERED = 40;

/** Each look is a second later. */
class RunningClock extends Clock {
  private instant: Instant = (2 ** 32 - LEFT) * 1_000_000;

  override now(): Instant {
    return (this.instant += 1_000_000);
  }
}

let service: AssembledService;
let source: ZoneSource;
let zone: TestDomain;

async function start(clock?: Clock): Promise<void> {
  service = await assembleTestService({ settings: SETTINGS, ...(clock === undefined ? {} : { clock }) });
  // Injection tokens are abstract classes.
  source = service.get(ZoneSource as never);
}

/** A zone as it is transferred. */
interface State {
  readonly serial: number;
  readonly records: readonly ResourceRecord[];
}

const published = async (): Promise<PublishedZone> => (await source.find(DomainName.parse(zone.name)))!;
const since = async (serial: number): Promise<Copy | null> => source.ixfr(await published(), serial, PRESENT);
async function look(): Promise<State> {
  const copy = await source.axfr(await published(), PRESENT);
  return { serial: copy.serial, records: (await recordsOf(copy, zone.name)).slice(0, -1) };
}

/** Applies the difference since that state; `false`: needs the whole zone. */
async function expectToLead(from: State, to: State): Promise<boolean> {
  const copy = await since(from.serial);
  if (copy === null) return false;
  expect(copy.serial).toBe(to.serial);
  const records = await recordsOf(copy, zone.name);
  expect(applyDifference(from.records, records)).toEqual(to.records.map(textOf).sort());
  return true;
}

describe('the difference of two serials', () => {
  beforeAll(() => start());
  afterAll(() => service.stop());
  beforeEach(async () => {
    zone = await newDomain(service);
    for (let at = 0; at < 8; at += 1) await zone.newRecord({ name: zone.at(`h${at}`) });
  });

  it('12.1 equals the effect of one change', async () => {
    const before = await look();
    const { id } = await zone.newRecord({ name: zone.at('new') });
    const created = await look();
    expect(await expectToLead(before, created)).toBe(true);
    await answerOf(zone.update(id, { data: '192.0.2.77' }));
    const copy = (await since(created.serial))!;
    expect(copy.octets).toBeLessThan(400);
    expect((await recordsOf(copy, zone.name)).map(({ type }) => type)).toEqual([6, 6, 1, 6, 1, 6]);
  });

  it('12.2 replaces the whole set where its TTL changes (RFC 2181 §5.2)', async () => {
    const { id } = await zone.newRecord({ ttl: 60 });
    for (const data of ['192.0.2.4', '192.0.2.5']) await zone.newRecord({ data, ttl: 300 });
    const before = await look();
    await answerOf(zone.delete(id));
    const records = await recordsOf((await since(before.serial))!, zone.name);
    expect(records.filter(({ type }) => type === 1).map(({ ttl }) => ttl)).toEqual([60, 60, 60, 300, 300]);
    expect(await expectToLead(before, await look())).toBe(true);
  });

  it('12.1 is the whole zone after a zone ttl change, or without a known earlier state', async () => {
    const { serial } = await look();
    for (const foreign of [serial - 1000, serial + 1, 0]) expect(await since(foreign)).toBeNull();
    await answerOf(service.call('put', `/v1/domains/${zone.id}`, { ttl: 77 }));
    expect(await since(serial)).toBeNull();
  });

  it('12.1 is the whole zone where the remainder is smaller than the removed part', async () => {
    const { serial } = await look();
    await zone.import('h0 A 192.0.2.3\n', '?mode=replace');
    expect(await since(serial)).toBeNull();
  });

  it('12.1, 11.4 is the zone itself where the history has been cut', async () => {
    const states = [await look()];
    for (let at = 0; at < 3; at += 1) {
      await zone.newRecord({ name: zone.at(`n${at}`) });
      states.push(await look());
    }
    const of = `FROM journal WHERE zone_id = '${zone.id}'`;
    const cut = `DELETE ${of} AND number <= (SELECT MAX(number) - 2 ${of})`;
    storeRows(service.databaseFile, {}, cut);
    for (const { serial } of states.slice(0, 2)) expect(await since(serial)).toBeNull();
    expect(await expectToLead(states[2]!, states[3]!)).toBe(true);
    await zone.newRecord({ name: zone.at('last') });
    storeRows(service.databaseFile, {}, `DELETE ${of}`);
    for (const { serial } of states) expect(await since(serial)).toBeNull();
  });

  it('12.4 is the zone itself where a record of a changed set cannot be read, and exact where it is another', async () => {
    await zone.newRecord({ name: zone.at('bad') });
    storeRows(service.databaseFile, {}, badRdata(zone.at('bad')));
    await zone.newRecord({ name: zone.at('n0') });
    const before = await look();
    expect(before.records.some(({ owner }) => owner.toString() === zone.at('bad'))).toBe(false);
    await zone.newRecord({ name: zone.at('n1') });
    expect(await expectToLead(before, await look())).toBe(true);
    await zone.newRecord({ name: zone.at('bad'), data: '192.0.2.99' });
    expect(await since(before.serial)).toBeNull();
  });

  const badRdata = (name: string): string =>
    `UPDATE records SET rdata = '00' WHERE zone_id = '${zone.id}' AND name = '${name}'`;

  it('12.1 is shared by concurrent readers', async () => {
    const before = await look();
    await zone.import(Array.from({ length: 8 }, (_, at) => `i${at} A 192.0.2.1\n`).join(''));
    const after = await look();
    const answers = await Promise.all(Array.from({ length: 20 }, () => expectToLead(before, after)));
    expect(answers).not.toContain(false);
  });

  it('12.1, 12.2, 12.3 leads from each of the last 40 serials exactly to the present one', async () => {
    const counts = { steps: 0, serials: 0, exact: 0, whole: 0 };
    await holdsFor(
      fc.array(anyChange, { minLength: 20, maxLength: 60 }),
      async (changes) => {
        zone = await newDomain(service);
        await zone.import(Array.from({ length: 12 }, (_, at) => `h${at} A 192.0.2.${at}\n`).join(''));
        await follow(changes, counts);
        await removeZone(service, zone);
      },
      { numRuns: times(4, 12), endOnFailure: true },
    );
    expect(counts.exact).toBeGreaterThan(counts.whole);
  });

  async function follow(changes: readonly RandomChange[], counts: Counts): Promise<void> {
    let states = [await look()];
    for (const { ask } of changes) {
      const serials = states.map(({ serial }) => serial);
      await ask(service, zone, serials);
      counts.steps += 1;
      const state = await look();
      expect(serials.slice(0, -1)).not.toContain(state.serial);
      if (state.serial === serials.at(-1))
        expect(state.records.map(textOf)).toEqual(states.at(-1)!.records.map(textOf));
      else states = [...states, state].slice(-REMEMBERED - 1);
      await compareAll(states.slice(-4), counts);
    }
    await compareAll(states, counts);
    expect(linesOfRecords(states.at(-1)!.records)).toEqual(recordsOfFile(await zone.export(), zone.name));
  }

  async function compareAll(states: readonly State[], counts: Counts): Promise<void> {
    const present = states.at(-1)!;
    for (const state of states.slice(0, -1)) {
      counts.serials += 1;
      if (await expectToLead(state, present)) counts.exact += 1;
      else counts.whole += 1;
    }
  }
});

interface Counts {
  steps: number;
  serials: number;
  exact: number;
  whole: number;
}

describe('serials that turn over', () => {
  beforeAll(() => start(new RunningClock()));
  afterAll(() => service.stop());

  it('12.3 lead from one to the next also around 2^32 (RFC 1982)', async () => {
    zone = await newDomain(service);
    const states = [await look()];
    for (let at = 0; states.at(-1)!.serial > 2 ** 31 || at < 12; at += 1) {
      await zone.newRecord({ name: zone.at(`n${at}`) });
      states.push(await look());
    }
    const present = states.at(-1)!;
    expect(present.serial).toBeLessThan(1000);
    for (const state of states.slice(4, -1)) expect(await expectToLead(state, present)).toBe(true);
    for (const serial of [present.serial + 1, 2 ** 31, states[0]!.serial - 1]) expect(await since(serial)).toBeNull();
  });
});
