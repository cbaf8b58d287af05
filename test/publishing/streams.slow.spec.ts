import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { newDomain } from '../support/domain.js';
import { Secondary, TRANSFER_KEY } from '../support/secondary.js';
import { removeTestData, startTestService, type TestService } from '../support/service.js';
import { lookInto } from '../support/stored.js';
import { until } from '../support/until.js';

/** More zones than individual queries would cover. */
const ZONES = 250;
/** Longest check by UDP alone on a busy machine, including losses. */
const PATIENCE = 60_000;

// Creating this many is slow on PostgreSQL.
jest.setTimeout(120_000);

let directory: string;
let secondary: Secondary;
let service: TestService | undefined;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-streams-'));
});
afterEach(async () => {
  await service?.stop();
  await secondary.stop();
  await removeTestData(directory);
});

/** A service whose name server has all zones, still unknown to the service. */
async function startWith(zones: number): Promise<TestService> {
  const maker = await startTestService({}, directory);
  for (let made = 0; made < zones; made += 50)
    await Promise.all(Array.from({ length: Math.min(50, zones - made) }, () => newDomain(maker)));
  await maker.stop();
  const rows = lookInto(maker.databaseFile, (stored) =>
    stored.rows<{ name: string; serial: number | string }>('SELECT name, serial FROM zones'),
  );
  for (const { name, serial } of rows) secondary.serials.set(name.toLowerCase(), Number(serial));
  service = await startTestService(
    {
      SERVICE_MDNS__ENABLED: 'True',
      SERVICE_MDNS__LISTEN: '127.0.0.1:0',
      SERVICE_MDNS__TSIG_KEYS: TRANSFER_KEY,
      SERVICE_MDNS__SECONDARIES: secondary.address,
    },
    directory,
  );
  return service;
}

function publishedBy({ databaseFile }: TestService): number {
  const [row] = lookInto(databaseFile, ({ rows }) =>
    rows<{ count: number | string }>('SELECT COUNT(*) AS count FROM publications WHERE serial IS NOT NULL'),
  );
  return Number(row!.count);
}

const allArePublished = (): Promise<void> => until(() => publishedBy(service!) === ZONES, PATIENCE);
const questionsOver = (transport: 'udp' | 'tcp'): number =>
  secondary.heard.filter((one) => one.kind === 'question' && one.transport === transport).length;

describe('12.5 a name server of many zones', () => {
  it('is asked for them over one TCP connection', async () => {
    secondary = await Secondary.start({ isSigned: true, answersOfStream: Infinity });
    // One by one, a slow machine would not tell of them faster than they can be asked for by UDP.
    secondary.notifiesAtOnce = ZONES;
    await startWith(ZONES);
    await allArePublished();
    // Where the machine is slow, a connection may become idle in between, and more are asked by UDP meanwhile.
    expect(secondary.connections).toBeGreaterThan(0);
    expect(questionsOver('tcp')).toBeGreaterThan(10 * secondary.connections);
    expect(questionsOver('tcp') + questionsOver('udp')).toBeLessThan(1.2 * ZONES);
    expect(secondary.heard.every(({ isSigned }) => isSigned)).toBe(true);
  });

  it('that is not reached by TCP is asked by UDP', async () => {
    secondary = await Secondary.start({ isSigned: true });
    await startWith(ZONES);
    await allArePublished();
    expect(questionsOver('udp')).toBeGreaterThanOrEqual(ZONES);
  });

  it.each([
    ['answers nothing over TCP', 0],
    ['closes a connection after ten answers', 10],
  ])('%s gets the remaining queries by UDP', async (_, answersOfStream) => {
    secondary = await Secondary.start({ isSigned: true, answersOfStream });
    await startWith(ZONES);
    await allArePublished();
    expect(questionsOver('udp')).toBeGreaterThan(0);
  });

  it('is asked over TCP where it has no room in a datagram', async () => {
    secondary = await Secondary.start({ isSigned: true, answersOfStream: Infinity });
    secondary.manners = ({ kind, transport }) => (kind === 'question' && transport === 'udp' ? 'truncate' : 'answer');
    await startWith(1);
    await until(() => publishedBy(service!) === 1);
    expect(questionsOver('tcp')).toBe(1);
  });
});

it('12.5 a name server of few zones is asked by UDP alone', async () => {
  secondary = await Secondary.start({ isSigned: true, answersOfStream: Infinity });
  await startWith(3);
  await until(() => publishedBy(service!) === 3);
  expect(secondary.connections).toBe(0);
});
