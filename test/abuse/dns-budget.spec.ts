import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MetaType } from '../../src/dns/message/codes.js';
import { bodyOf } from '../support/answers.js';
import { freshName } from '../support/domain.js';
import { queryOf, rcodeOf } from '../support/dns-client.js';
import { killAll, type ServiceProcess, startServiceProcess } from '../support/process.js';
import { clientsOf, environmentOf, removeTestData } from '../support/service.js';
import { transfer } from '../support/transfers.js';
import {
  add,
  exists,
  type KeyBody,
  remove,
  TAKES_UPDATES,
  tsigKeyOf,
  Updater,
  type Asked,
} from '../support/updates.js';
import { DELETABLE_RECORDS } from './budget-operations.js';
import { type FullZone, makeLongZone, makeManyZone } from './largest-zones.js';
import { faultsOfThreeRounds, LONGEST_HOLD, longestHoldDuring, WATCHED_LOOP } from './loop-holds.js';
import { unlimitedChanges } from './options.js';

jest.setTimeout(600_000);

const TXT = 16;
/** Sets of 60 kB whose TTL one change may set (rule 9.7). */
const FITTING_SETS = 90;

let directory = '';
let service: ServiceProcess;
let updater: Updater;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-abuse-'));
  const settings = { ...unlimitedChanges(), ...TAKES_UPDATES, SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1' };
  service = await startServiceProcess(directory, { ...environmentOf(directory, settings), ...WATCHED_LOOP });
  const client = clientsOf(service.url).as('mallory', 'admin');
  const key = await bodyOf<KeyBody>(client.call('post', '/v1/update-keys', { name: 'mallory.' }));
  const port = Number(/dns:\/\/127\.0\.0\.1:(\d+)/.exec(service.output().stdout)?.[1]);
  updater = new Updater({ port }, tsigKeyOf(key));
});

afterAll(async () => {
  killAll(service);
  await service.ended;
  await removeTestData(directory);
});

interface DnsRequest {
  readonly title: string;
  /** The result that is expected, and the function that sends the request and returns the result. */
  readonly result: string;
  send(): Promise<string>;
}

/** Messages with the largest possible read or write of a zone, in an order in which each succeeds. */
function heavyMessages({ name, firstSerial, recordIds }: FullZone): readonly DnsRequest[] {
  const { place, key } = updater;
  const owners = recordIds.map((_, at) => `h${at}.${name}`);
  const transferred = (title: string, type: number, serial?: number): DnsRequest => ({
    ...{ title, result: 'transferred' },
    send: async () => {
      const { records } = await transfer(
        place.port,
        queryOf({ name, type, ...(serial === undefined ? {} : { serial }) }),
      );
      return records.length > recordIds.length ? 'transferred' : `${records.length} records`;
    },
  });
  const update = (title: string, asked: Asked, result = 'NOERROR'): DnsRequest => ({
    ...{ title, result },
    send: () => updater.update(name, asked),
  });
  const ttls = (some: readonly string[]): Asked => ({ updates: some.map((owner) => add(owner, 77, 'TXT', '"short"')) });
  return [
    transferred('AXFR', MetaType.AXFR),
    transferred('AXFR again', MetaType.AXFR),
    transferred('IXFR', MetaType.IXFR, firstSerial),
    {
      ...{ title: 'query', result: 'NOERROR' },
      send: async () => {
        const { messages } = await transfer(place.port, queryOf({ name: owners[0] ?? '', type: TXT }), key);
        return messages.map(rcodeOf).join();
      },
    },
    update('prerequisites', { prerequisites: owners.map((owner) => exists(owner)) }),
    update('TTLs', ttls(owners.slice(0, FITTING_SETS))),
    update('deletions', { updates: owners.slice(0, DELETABLE_RECORDS).map((owner) => remove(owner)) }),
  ];
}

it.each([
  ['long', makeLongZone],
  ['many', makeManyZone],
])('1.14 answers DNS messages without holding the event loop for 100 ms: %s records', async (_, makeZone) => {
  const found = await faultsOfThreeRounds(async () => {
    const zone = await makeZone(clientsOf(service.url), freshName());
    const faults: string[] = [];
    for (const { title, result, send } of heavyMessages(zone)) {
      let actual = '';
      const held = await longestHoldDuring(directory, async () => void (actual = await send()));
      if (held > LONGEST_HOLD || actual !== result) faults.push(`${title}: ${actual}, held for ${held} ms`);
    }
    return faults;
  });
  expect(found).toEqual([]);
});
