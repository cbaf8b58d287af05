import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readMessage } from '../../src/dns/message/message-reader.js';
import { rcodeOf } from '../support/dns-client.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { removeTestData } from '../support/service.js';
import {
  add,
  exchange,
  isFree,
  remove,
  startUpdateService,
  updateOf,
  Updater,
  type UpdateService,
} from '../support/updates.js';

let directory: string;
let service: UpdateService;
let updater: Updater;
let domain: TestDomain;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
  service = await startUpdateService({}, directory);
  updater = await service.newUpdater();
  domain = await newDomain(service);
});
afterAll(async () => {
  await service.stop();
  await removeTestData(directory);
});

const sent = async (octets: Buffer, isTcp = false): Promise<string> =>
  rcodeOf(readMessage(await exchange(service.dns, octets, isTcp)));

const claim = (label: string, address = '192.0.2.1'): Buffer =>
  updater.signed(
    updateOf(domain.name, {
      prerequisites: [isFree(domain.at(label))],
      updates: [add(domain.at(label), 60, 'A', address)],
    }),
  );

it('20.6 a repeated message gets its first response, by UDP and TCP, sequentially and concurrently', async () => {
  const message = claim('lease');
  expect(await sent(message)).toBe('NOERROR');
  expect(await sent(message)).toBe('NOERROR');
  expect(await sent(message, true)).toBe('NOERROR');
  const other = claim('lease', '192.0.2.2');
  expect(await sent(other)).toBe('YXDOMAIN');
  const third = claim('race');
  expect(await Promise.all(Array.from({ length: 8 }, () => sent(third)))).toEqual(Array<string>(8).fill('NOERROR'));
  expect(await domain.records()).toHaveLength(2);
});

it('20.6 a replayed message restores no deleted records and repeats no refused change', async () => {
  const addition = updater.signed(updateOf(domain.name, { updates: [add(domain.at('gone'), 60, 'A', '192.0.2.1')] }));
  const refused = claim('gone', '192.0.2.9');
  expect(await sent(addition)).toBe('NOERROR');
  expect(await sent(refused)).toBe('YXDOMAIN');
  expect(await updater.update(domain.name, { updates: [remove(domain.at('gone'))] })).toBe('NOERROR');
  const { serial } = await domain.now();
  expect(await sent(addition)).toBe('NOERROR');
  expect(await sent(refused)).toBe('YXDOMAIN');
  expect(await domain.now()).toMatchObject({ serial });
});

it('20.6 two messages of one id are two messages', async () => {
  const id = 4711;
  const header = { ...readMessage(updateOf(domain.name, {})).header, id };
  for (const address of ['192.0.2.1', '192.0.2.2']) {
    const updates = [add(domain.at('same-id'), 60, 'A', address)];
    expect(rcodeOf(await updater.send(updateOf(domain.name, { updates }, { header })))).toBe('NOERROR');
  }
  expect((await domain.records()).filter(({ name }) => name === domain.at('same-id'))).toHaveLength(2);
});

it('20.6 another process knows stored responses', async () => {
  const message = claim('before');
  expect(await sent(message)).toBe('NOERROR');
  await service.stop();
  service = await startUpdateService({}, directory);
  expect(await sent(message)).toBe('NOERROR');
  expect(await sent(claim('before'))).toBe('YXDOMAIN');
});
