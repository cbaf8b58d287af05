import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Test } from 'supertest';
import { bodyOf } from '../support/answers.js';
import { domainOf, newDomain, type TestDomain } from '../support/domain.js';
import { audit } from '../support/audit.js';
import { journalOf } from '../support/journal.js';
import { startTestService, type TestService } from '../support/service.js';
import { times } from '../support/length.js';

/** SQLite is meant for one process; two on one file prove that the rules do not rely on process memory. */
describe.each([
  { place: 'in one service', services: 1, rounds: { many: times(40, 200), some: times(10, 50) } },
  { place: 'in two services on one file', services: 2, rounds: { many: times(20, 40), some: 10 } },
])('races of records $place', ({ services, rounds }) => {
  let directory: string;
  let running: TestService[];
  let domain: TestDomain;
  /** The same domain, as each service sees it. */
  let doors: TestDomain[];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'zonewright-races-'));
    running = [];
    for (let at = 0; at < services; at++) running.push(await startTestService({}, directory));
  });
  afterAll(async () => {
    for (const service of running) await service.stop();
    await rm(directory, { recursive: true });
  });
  beforeEach(async () => {
    domain = await newDomain(running[0]!);
    doors = running.map((service) => domainOf(service, domain));
  });
  afterEach(() => audit(running[0]!.databaseFile));

  /** Sends the requests concurrently, spread over the services, and returns their statuses in order. */
  async function statusesOf<T>(
    contenders: readonly T[],
    send: (door: TestDomain, contender: T, at: number) => Test,
  ): Promise<number[]> {
    const answers = contenders.map((contender, at) => send(doors[at % doors.length]!, contender, at));
    return (await Promise.all(answers)).map(({ status }) => status);
  }

  async function forRounds(count: number, race: (label: string) => Promise<void>): Promise<void> {
    for (let round = 0; round < count; round++) await race(`r${String(round)}`);
  }

  it('5.5 stores one of several identical records created concurrently', async () => {
    await forRounds(rounds.many, async (label) => {
      const spellings = ['2001:db8::1', '2001:DB8::1', '2001:db8:0::1', '2001:db8:0:0:0:0:0:1'];
      const statuses = await statusesOf(spellings, (door, data) =>
        door.create({ name: domain.at(label), type: 'AAAA', data }),
      );
      expect(statuses.sort()).toEqual([200, 409, 409, 409]);
    });
    expect(await domain.records()).toHaveLength(rounds.many);
  });

  it('5.6 never stores a CNAME together with other records created concurrently', async () => {
    await forRounds(rounds.many, async (label) => {
      const contenders = ['CNAME', 'A', 'CNAME', 'A'];
      const statuses = await statusesOf(contenders, (door, type, at) =>
        door.create({
          name: domain.at(label),
          type,
          data: type === 'A' ? `192.0.2.${String(at)}` : `c${String(at)}.example.org.`,
        }),
      );
      const accepted = contenders.filter((_, at) => statuses[at] === 200);
      expect([['CNAME'], ['A', 'A']]).toContainEqual(accepted);
      expect(statuses.filter((status) => status !== 200 && status !== 400)).toEqual([]);
    });
  });

  it('6.2 accepts one of several records updated concurrently to the same value', async () => {
    await forRounds(rounds.many, async (label) => {
      const name = domain.at(label);
      const created = await Promise.all(
        [1, 2, 3].map((n) => bodyOf(domain.create({ name, type: 'A', data: `192.0.2.${String(n)}` }))),
      );
      const statuses = await statusesOf(created, (door, { id }) => door.update(id, { data: '192.0.2.9' }));
      expect(statuses.sort()).toEqual([200, 409, 409]);
    });
  });

  it('6.2 keeps a CNAME alone under concurrent renames into one name', async () => {
    await forRounds(rounds.some, async (label) => {
      const alias = await bodyOf(
        domain.create({ name: domain.at(`a-${label}`), type: 'CNAME', data: 'x.example.org.' }),
      );
      const address = await bodyOf(domain.create({ name: domain.at(`b-${label}`), type: 'A', data: '192.0.2.1' }));
      const statuses = await statusesOf([alias, address], (door, { id }) =>
        door.update(id, { name: domain.at(label) }),
      );
      expect(statuses.sort()).toEqual([200, 400]);
    });
  });

  it('6.1 exactly one of several concurrent deletes finds the record', async () => {
    await forRounds(rounds.some, async (label) => {
      const { id } = await bodyOf(domain.create({ name: domain.at(label), type: 'A', data: '192.0.2.1' }));
      const statuses = await statusesOf([1, 2, 3], (door) => door.delete(id));
      expect(statuses.sort()).toEqual([200, 404, 404]);
    });
    expect(await domain.records()).toEqual([]);
  });

  it('6.1 deletes a record that is updated concurrently', async () => {
    await forRounds(rounds.some, async (label) => {
      const { id } = await bodyOf(domain.create({ name: domain.at(label), type: 'A', data: '192.0.2.1' }));
      const [first, removed, second] = await statusesOf(['put', 'delete', 'put'], (door, method, at) =>
        method === 'put' ? door.update(id, { data: `192.0.2.${String(at + 2)}` }) : door.delete(id),
      );
      expect(removed).toBe(200);
      expect([first, second].filter((status) => status !== 200 && status !== 404)).toEqual([]);
    });
    expect(await domain.records()).toEqual([]);
  });

  it('7.1 deletes records created while their domain is deleted', async () => {
    for (let round = 0; round < rounds.some; round++) {
      const doomed = await newDomain(running[0]!);
      const [removed, ...created] = await statusesOf(['', 'a', 'b', 'c'], (door, label) => {
        const mine = domainOf(running[doors.indexOf(door)]!, doomed);
        const record = { name: doomed.at(label), type: 'A', data: '192.0.2.1' };
        return label === ''
          ? running[doors.indexOf(door)]!.call('delete', `/v1/domains/${doomed.id}`)
          : mine.create(record);
      });
      expect(removed).toBe(200);
      expect(created.filter((status) => status !== 200 && status !== 404)).toEqual([]);
    }
  });

  it('6.2 accepts fifty concurrent updates of one record, and the last one stays (case 64)', async () => {
    const { id } = await bodyOf(domain.create({ name: domain.at('shared'), type: 'TXT', data: 'first' }));
    const texts = Array.from({ length: 50 }, (_, at) => `text ${String(at)}`);
    const statuses = await statusesOf(texts, (door, data) => door.update(id, { data }));
    expect(new Set(statuses)).toEqual(new Set([200]));
    const [stored] = await domain.records();
    const story = journalOf(running[0]!.databaseFile, domain.id).filter(({ action }) => action === 'record.update');
    expect(story.map(({ after }) => (after as { data: string }).data).sort()).toEqual(texts.sort());
    expect(stored).toMatchObject({ version: 51, data: (story.at(-1)!.after as { data: string }).data });
  });

  it('7.2 answers valid and invalid concurrent changes separately', async () => {
    const name = domain.at('busy');
    await forRounds(rounds.some, async (label) => {
      const bodies: [body: object, status: number][] = [
        [{ name, type: 'TXT', data: label }, 200],
        [{ name, type: 'TXT', data: '' }, 400],
        [{ name: domain.at(`x-${label}`), type: 'CNAME', data: 'y.example.org.' }, 200],
        [{ name: domain.name, type: 'CNAME', data: 'y.example.org.' }, 400],
        [{ name: 'elsewhere.example.net.', type: 'A', data: '192.0.2.1' }, 400],
        [{ name: domain.at(`y-${label}`), type: 'A', data: '192.0.2.1' }, 200],
      ];
      expect(await statusesOf(bodies, (door, [body]) => door.create(body))).toEqual(bodies.map(([, status]) => status));
    });
    expect(await domain.records()).toHaveLength(rounds.some * 3);
  });
});
