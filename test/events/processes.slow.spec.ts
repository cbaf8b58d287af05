import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { answerOf } from '../support/answers.js';
import { domainOf, newDomain, type TestDomain } from '../support/domain.js';
import { EventReader } from '../support/event-reader.js';
import { freePort } from '../support/name-servers/name-servers.js';
import { ON_POSTGRES } from '../support/postgres/databases.js';
import { killAll, type ServiceProcess, startServiceProcess } from '../support/process.js';
import { clientsOf, environmentOf, removeTestData } from '../support/service.js';
import { until } from '../support/until.js';

jest.setTimeout(120_000);

const ROUNDS = 2;
const TENANT = 'acme';

let directory: string;
let processes: ServiceProcess[];
let readers: EventReader[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-events-'));
  [processes, readers] = [[], []];
});
afterEach(async () => {
  for (const reader of readers) reader.close();
  for (const one of processes) {
    killAll(one);
    await one.ended;
  }
  await removeTestData(directory);
});

async function start(port = 0): Promise<ServiceProcess> {
  const settings = { SERVICE_API__ENABLED_EXTENSIONS_V1: 'events', SERVICE_API__LISTEN: `127.0.0.1:${port}` };
  const one = await startServiceProcess(directory, environmentOf(directory, settings));
  processes.push(one);
  return one;
}

function read(url: string, id?: string): EventReader {
  const reader = EventReader.as(TENANT, url, id === undefined ? {} : { headers: { 'Last-Event-ID': id } });
  readers.push(reader);
  return reader;
}

/** Event numbers of each domain that a reader received. */
function numbersOf(reader: EventReader): Map<string, number[]> {
  const numbers = new Map<string, number[]>();
  for (const { event } of reader.events) {
    const { domain, number } = event.data;
    numbers.set(domain.id, [...(numbers.get(domain.id) ?? []), number]);
  }
  return numbers;
}

/** The last journal number of a domain. */
async function lastNumber(url: string, { id }: TestDomain): Promise<number> {
  const { body } = await answerOf(clientsOf(url).as(TENANT).call('get', `/v1/domains/${id}/history?limit=1`));
  return (body as { history: { number: number }[] }).history[0]!.number;
}

async function expectWhole(reader: EventReader, url: string, domains: readonly TestDomain[]): Promise<void> {
  for (const domain of domains) {
    const last = await lastNumber(url, domain);
    const told = () => numbersOf(reader).get(domain.id) ?? [];
    await until(() => told().at(-1) === last);
    expect(told()).toEqual(Array.from({ length: last }, (_, at) => at + 1));
  }
}

describe('19.12, 19.13 a reader', () => {
  it('19.12, 19.13 misses and repeats no event, however often the service is killed', async () => {
    const port = await freePort();
    let service = await start(port);
    const member = clientsOf(service.url).as(TENANT);
    const domains = [await newDomain(member), await newDomain(member)];
    const reader = await read(service.url, '0').started();
    for (let round = 1; round <= ROUNDS; round += 1) {
      let isKilled = false;
      const writers = domains.map(async (domain) => {
        for (let at = 0; !isKilled; at += 1)
          // Whether one that is cut off was stored, the journal says.
          await domain.create({ name: domain.at(`r${round}-${at}`), type: 'A', data: '192.0.2.1' }).catch(() => null);
      });
      const before = reader.events.length;
      await reader.first(before + 60, 30_000);
      isKilled = true;
      killAll(service);
      await service.ended;
      await Promise.all(writers);
      service = await start(port);
      await reader.started(round + 1);
    }
    await expectWhole(reader, service.url, domains);
    const again = read(service.url, '0');
    await again.first(reader.events.length, 30_000);
    expect(again.events).toEqual(reader.events);
  });

  (ON_POSTGRES ? it : it.skip)('19.4, 19.12 is told by each process of what any of them has done', async () => {
    const [one, other] = [await start(), await start()];
    const [here, there] = [await read(one.url, '0').started(), await read(other.url, '0').started()];
    const domain = await newDomain(clientsOf(one.url).as(TENANT));
    const same = domainOf(clientsOf(other.url).as(TENANT), domain);
    for (let at = 0; at < 20; at += 1) await (at % 2 === 0 ? domain : same).newRecord({ name: domain.at(`h${at}`) });
    await expectWhole(here, other.url, [domain]);
    await there.first(here.events.length);
    expect(there.events).toEqual(here.events);

    killAll(one);
    await one.ended;
    await same.newRecord({ name: domain.at('last') });
    await expectWhole(there, other.url, [domain]);
    const goesOn = read(other.url, here.events.at(-1)!.id);
    await goesOn.first(1);
    expect(goesOn.events).toEqual(there.events.slice(here.events.length));
  });
});
