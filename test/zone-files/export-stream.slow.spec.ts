import { get, type IncomingMessage } from 'node:http';
import { readdir, readlink } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { audit } from '../support/audit.js';
import { answerOf } from '../support/answers.js';
import { linesOfExport, newDomain, type TestDomain } from '../support/domain.js';
import { seedRecords } from '../support/seed.js';
import { startTestService, type TestService } from '../support/service.js';
import { takeAway } from '../support/stored.js';

/** Several pieces of text. */
const COUNT = 8000;

let service: TestService;
let zone: TestDomain;

beforeAll(async () => {
  service = await startTestService({ DEFAULT__QUOTA_API_EXPORT_SIZE: '1000000' });
});
afterAll(async () => {
  audit(service.databaseFile);
  await service.stop();
});
beforeEach(async () => {
  zone = await newDomain(service);
  seedRecords(service.databaseFile, zone.id, COUNT);
});

it('15.6 is one snapshot during changes, and delays no other request (attack case 98)', async () => {
  const { serial } = await zone.now();
  const { text, changes } = await changingWhileReading();
  expect(changes).toBeGreaterThan(3);
  expect(text).toContain(` ${String(serial)} 3600 600`);
  expect(linesOfExport(text)).toHaveLength(COUNT + 2);
  expect(linesOfExport(await zone.export())).toHaveLength(COUNT + changes + 2);
});

it('a reader that goes away leaves nothing behind', async () => {
  for (let round = 0; round < 5; round += 1) await startReading((response) => response.destroy());
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await descriptorsOf(service.databaseFile)).toBe(await descriptorsAfterExport());
});

it('HEAD reads no more than it needs and leaves nothing behind', async () => {
  await answerOf(service.call('head', `/v1/domains/${zone.id}/export`));
  expect(await descriptorsOf(service.databaseFile)).toBe(await descriptorsAfterExport());
});

it('is refused in the usual form when the database cannot be read', async () => {
  const bringBack = takeAway(service.databaseFile);
  try {
    const { status, body, text } = await zone.fetchFile();
    expect(status).toBeGreaterThanOrEqual(500);
    expect(body).toMatchObject({ code: status });
    expect(text).not.toContain(service.databaseFile);
  } finally {
    bringBack();
  }
});

async function descriptorsAfterExport(): Promise<number> {
  await zone.export();
  return descriptorsOf(service.databaseFile);
}

/** Reads the export slowly, creating a record after each piece. */
async function changingWhileReading(): Promise<{ text: string; changes: number }> {
  let text = '';
  let changes = 0;
  await startReading(async (response) => {
    for await (const piece of response) {
      text += String(piece);
      await answerOf(zone.create({ name: zone.at(`new${String((changes += 1))}`), type: 'A', data: '192.0.2.1' }));
    }
  });
  return { text, changes };
}

function startReading(read: (response: IncomingMessage) => unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'X-Auth-Project-ID': 'tenant-a', 'X-Roles': 'admin' };
    get(`${service.url}/v1/domains/${zone.id}/export`, { headers, agent: false }, (response) => {
      const reading = Promise.resolve(read(response));
      reading.catch(reject);
      // The reader handles the last chunk after the response ends.
      response.once('close', () => void reading.then(() => resolve(), reject));
    }).once('error', reject);
  });
}

/** How many descriptors of this process lead to the database. */
async function descriptorsOf(file: string): Promise<number> {
  const links = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''));
  return (await Promise.all(links)).filter((target) => target.startsWith(file)).length;
}
