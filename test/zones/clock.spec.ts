import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { assembleTestService, type AssembledService } from '../support/assembled-service.js';
import { audit } from '../support/audit.js';
import { answerOf, bodyOf } from '../support/answers.js';
import type { DomainBody } from '../support/bodies.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { journalOf } from '../support/journal.js';
import { SteppedClock } from '../support/stepped-clock.js';

const SECOND = 1_000_000;
const HOUR = 3600 * SECOND;

let clock: SteppedClock;
let service: AssembledService;
let domain: TestDomain;

beforeAll(async () => {
  clock = new SteppedClock();
  service = await assembleTestService({ clock });
});
afterAll(() => service.stop());
beforeEach(async () => {
  domain = await newDomain(service);
});

const unixNow = (): number => Math.floor(clock.instant / SECOND);

describe('the clock', () => {
  it('7.2 gives the serial: unix time where that is ahead, else one more (RFC 1982)', async () => {
    const serialAfterChange = async (): Promise<number> => {
      await bodyOf(service.call('put', `/v1/domains/${domain.id}`, { description: String(Math.random()) }));
      return (await domain.now()).serial;
    };
    const made = unixNow();
    expect(domain.serial).toBe(made);
    expect(await serialAfterChange()).toBe(made + 1);
    clock.instant += 10 * SECOND;
    expect(await serialAfterChange()).toBe(made + 10);
    clock.instant -= HOUR;
    expect(await serialAfterChange()).toBe(made + 11);
    expect(await serialAfterChange()).toBe(made + 12);
    clock.instant += HOUR;
    expect(await serialAfterChange()).toBe(made + 13);
    clock.instant += 10 * SECOND;
    expect(await serialAfterChange()).toBe(made + 20);
  });

  it('6.4, 7.1 turned back keeps domains in the order of creation, and serials based on the time', async () => {
    const names = [domain.name];
    for (const jump of [-HOUR, 0, 1, HOUR]) {
      clock.instant += jump;
      const made = await newDomain(service);
      expect(made.serial).toBe(unixNow());
      names.push(made.name);
    }
    const { domains } = await bodyOf<{ domains: DomainBody[] }>(service.call('get', '/v1/domains'));
    const ours = domains.filter(({ name }) => names.includes(name));
    expect(ours.map(({ name }) => name)).toEqual(names);
    const times = ours.map((each) => each.created_at);
    expect(times).toEqual([...new Set(times)].sort());
  });

  it('7.2 case 73: however it jumps, serials, ids and times only grow', async () => {
    const first = await bodyOf(domain.create({ name: domain.at('moving'), type: 'TXT', data: 'first' }));
    const ids = [first.id];
    const updates = [first.created_at];
    const jumps = [0, -HOUR, HOUR, -1, 1, -24 * HOUR, 48 * HOUR, 0, -SECOND, 999, -999, 0];
    for (const [at, jump] of jumps.entries()) {
      clock.instant += jump;
      ids.push((await bodyOf(domain.create({ name: domain.at(`h${String(at)}`), type: 'A', data: '192.0.2.1' }))).id);
      for (const text of ['one', 'two', 'three'].map((word) => `${word} ${String(at)}`))
        updates.push((await bodyOf(domain.update(first.id, { data: text }))).updated_at!);
      if (at % 3 === 2) await answerOf(domain.delete(ids.pop()!));
    }
    expect([...ids].sort()).toEqual(ids);
    expect((await domain.records()).map(({ id }) => id)).toEqual(ids);
    expect([...updates].sort()).toEqual(updates);
    expect(new Set(updates).size).toBe(updates.length);
    const serials = journalOf(service.databaseFile, domain.id).map(({ serial }) => serial);
    expect([...new Set(serials)].sort((one, other) => one - other)).toEqual(serials);
  });

  it('4.5 stopped still distinguishes records', async () => {
    const labels = Array.from({ length: 50 }, (_, at) => `h${String(at)}`);
    const made = await Promise.all(
      labels.map((label) => bodyOf(domain.create({ name: domain.at(label), type: 'A', data: '192.0.2.1' }))),
    );
    expect(new Set(made.map(({ created_at }) => created_at)).size).toBe(50);
    const byId = [...made].sort((one, other) => (one.id < other.id ? -1 : 1));
    const byTime = [...made].sort((one, other) => (one.created_at < other.created_at ? -1 : 1));
    expect(byId).toEqual(byTime);
    expect(await domain.records()).toMatchObject(byId);
  });

  it('4.5 writes the time that it was given, to the microsecond', async () => {
    clock.instant = Date.UTC(2031, 0, 2, 3, 4, 5) * 1000 + 678_901;
    const { created_at, id } = await bodyOf(domain.create({ name: domain.name, type: 'A', data: '192.0.2.1' }));
    expect(created_at).toBe('2031-01-02T03:04:05.678901');
    clock.instant += 1;
    expect((await bodyOf(domain.update(id, { ttl: 60 }))).updated_at).toBe('2031-01-02T03:04:05.678902');
  });

  it('7.2 a serial turns over where 32 bits end', async () => {
    clock.instant = (2 ** 32 - 2) * SECOND;
    const late = await newDomain(service);
    expect(late.serial).toBe(2 ** 32 - 2);
    const serials: number[] = [];
    for (const ttl of [1, 2, 3]) {
      await bodyOf(service.call('put', `/v1/domains/${late.id}`, { ttl }));
      serials.push((await late.now()).serial);
    }
    expect(serials).toEqual([2 ** 32 - 1, 0, 1]);
  });
});

it('leaves the database consistent', () => audit(service.databaseFile));
