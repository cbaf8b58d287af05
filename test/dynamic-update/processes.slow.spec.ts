import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it, jest } from '@jest/globals';
import { readMessage } from '../../src/dns/message/message-reader.js';
import { Rcode } from '../../src/dns/message/codes.js';
import { answerOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import { type Place, rcodeOf } from '../support/dns-client.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { COMMAND_LINE, killAll, type ServiceProcess, startServiceProcess } from '../support/process.js';
import { clientsOf, type Clients, databaseFileIn, environmentOf, removeTestData } from '../support/service.js';
import { until } from '../support/until.js';
import {
  add,
  exchange,
  isFree,
  newUpdateKey,
  remove,
  TAKES_UPDATES,
  tsigKeyOf,
  updateOf,
  Updater,
} from '../support/updates.js';

/*
 * The service and `zonewright mdns` take updates of the same database.
 */

// Starts of processes.
jest.setTimeout(120_000);

let directory: string;
let processes: readonly [ServiceProcess, ServiceProcess];
let places: readonly [Place, Place];
let clients: Clients;
let domain: TestDomain;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-updates-'));
  const environment = environmentOf(directory, TAKES_UPDATES);
  const service = await startServiceProcess(directory, environment);
  processes = [service, await startServiceProcess(directory, environment, [COMMAND_LINE, 'mdns'])];
  clients = clientsOf(service.url);
  places = [placeOf(processes[0]), placeOf(processes[1])];
});
afterAll(async () => {
  for (const one of processes) {
    killAll(one);
    await one.ended;
  }
  audit(databaseFileIn(directory));
  await removeTestData(directory);
});
beforeEach(async () => {
  domain = await newDomain(clients);
});

function placeOf({ output }: ServiceProcess): Place {
  const { stdout, stderr } = output();
  return { port: Number(/dns:\/\/127\.0\.0\.1:(\d+)/.exec(stdout + stderr)?.[1]) };
}

/** A new key, at either process, when both know it. */
async function newUpdaters(): Promise<readonly [Updater, Updater] & { readonly id: string }> {
  const key = await newUpdateKey(clients);
  const [one, other] = places.map((place) => new Updater(place, tsigKeyOf(key))) as [Updater, Updater];
  await until(async () => (await other.update(domain.name, {}).catch(() => '')) === 'NOERROR');
  return Object.assign([one, other] as const, { id: key.id });
}

const claim = (label: string, address: string) => ({
  prerequisites: [isFree(domain.at(label))],
  updates: [add(domain.at(label), 60, 'A', address)],
});

const sent = async (place: Place, octets: Buffer): Promise<string> =>
  rcodeOf(readMessage(await exchange(place, octets)));

it('20.6 a message sent to both concurrently is applied once, with one response', async () => {
  const [one] = await newUpdaters();
  for (let round = 0; round < 10; round += 1) {
    const message = one.signed(updateOf(domain.name, claim(`h${round}`, '192.0.2.1')));
    const answers = await Promise.all([...places, ...places].map((place) => sent(place, message)));
    expect(answers).toEqual(['NOERROR', 'NOERROR', 'NOERROR', 'NOERROR']);
  }
  expect(await domain.records()).toHaveLength(10);
});

it('20.6 a message replayed to the other process does not restore deleted records', async () => {
  const [one, other] = await newUpdaters();
  const message = one.signed(updateOf(domain.name, { updates: [add(domain.at('gone'), 60, 'A', '192.0.2.1')] }));
  expect(await sent(one.place, message)).toBe('NOERROR');
  expect(await other.update(domain.name, { updates: [remove(domain.at('gone'))] })).toBe('NOERROR');
  expect(await sent(other.place, message)).toBe('NOERROR');
  expect(await domain.records()).toEqual([]);
});

it('20.3 (attack case 9) a free name is won by one of many that ask either of them', async () => {
  const updaters = await newUpdaters();
  const asked = Array.from({ length: 16 }, (_, at) =>
    (at % 2 === 0 ? updaters[0] : updaters[1]).update(domain.name, claim('lease', `192.0.2.${at}`)),
  );
  expect((await Promise.all(asked)).sort()).toEqual(['NOERROR', ...Array<string>(15).fill('YXDOMAIN')]);
  expect(await domain.records()).toHaveLength(1);
});

it('20.8 (attack case 13) a key that was revoked changes nothing from then on, in neither', async () => {
  const updaters = await newUpdaters();
  await answerOf(clients.call('delete', `/v1/update-keys/${updaters.id}`));
  const asked = { updates: [add(domain.at('late'), 60, 'A', '192.0.2.1')] };
  for (const updater of updaters) {
    const answer = await updater.update(domain.name, asked).catch((error: unknown) => error);
    expect([expect.objectContaining({ code: Rcode.BADKEY }), 'REFUSED']).toContainEqual(answer);
  }
  expect(await domain.records()).toEqual([]);
});
