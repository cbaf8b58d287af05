import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { assembleTestService, type AssembledService } from '../support/assembled-service.js';
import { audit } from '../support/audit.js';
import { answerOf, bodyOf, refusalOf } from '../support/bodies.js';
import { newDomain, type TestDomain } from '../support/domain.js';

const PATIENCE = 800;

let service: AssembledService;
let domain: TestDomain;
/** Somebody else's connection: another process could do no more with the file. */
let other: Database.Database;

beforeAll(async () => {
  service = await assembleTestService({ lockPatience: PATIENCE });
  other = new Database(service.databaseFile);
});
afterAll(async () => {
  other.close();
  await service.stop();
});
beforeEach(async () => {
  domain = await newDomain(service);
});
afterEach(() => {
  if (other.inTransaction) other.exec('ROLLBACK');
  audit(service.databaseFile);
});

const record = (label: string): object => ({ name: domain.at(label), type: 'A', data: '192.0.2.1' });

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; milliseconds: number }> {
  const start = performance.now();
  const result = await work();
  return { result, milliseconds: performance.now() - start };
}

describe('while another process holds the write lock', () => {
  it('2.3 changes wait, each for its own answer, and reads go on', async () => {
    const { id } = await bodyOf(domain.create(record('before')));
    other.exec('BEGIN IMMEDIATE');
    const changes = ['a', 'b', 'c'].map((label) => timed(async () => bodyOf(domain.create(record(label)))));
    const refused = domain.create(record('before'));
    for (let reads = 0; reads < 10; reads++) {
      const { milliseconds } = await timed(() => bodyOf(domain.get(id)));
      expect(milliseconds).toBeLessThan(PATIENCE / 2);
      await delay(PATIENCE / 20);
    }
    expect(await domain.records()).toHaveLength(1);
    other.exec('COMMIT');
    for (const { milliseconds } of await Promise.all(changes)) expect(milliseconds).toBeGreaterThan(PATIENCE / 2);
    expect((await refused).status).toBe(409);
    expect(await domain.records()).toHaveLength(4);
  });

  it('2.3 for too long, changes are refused with 503 and Retry-After, and accepted again afterwards', async () => {
    other.exec('BEGIN IMMEDIATE');
    const early = timed(() => domain.create(record('early')));
    await delay(PATIENCE / 2);
    const late = timed(() => domain.create(record('late')));
    for (const { result, milliseconds } of await Promise.all([early, late])) {
      expect(result.status).toBe(503);
      expect(result.headers['retry-after']).toMatch(/^[1-9][0-9]*$/);
      expect(milliseconds).toBeGreaterThan(PATIENCE * 0.9);
      // Each waits for its own patience, not for that of those before it as well.
      expect(milliseconds).toBeLessThan(PATIENCE * 1.8);
    }
    await refusalOf(domain.create(record('refused')), 503, 'unavailable');
    expect(await domain.records()).toEqual([]);
    other.exec('ROLLBACK');
    await answerOf(domain.create(record('early')));
    expect(await domain.records()).toMatchObject([record('early')]);
  });

  it('2.3 a body that is wrong is refused at once', async () => {
    other.exec('BEGIN IMMEDIATE');
    const { milliseconds } = await timed(() => refusalOf(domain.create({}), 400, 'invalid_object'));
    expect(milliseconds).toBeLessThan(PATIENCE / 2);
  });
});

describe('when the disk is full', () => {
  /** As many pages as the file has now, and so many more. */
  async function allowPages(more: number): Promise<void> {
    const pages = other.pragma('page_count', { simple: true }) as number;
    await service.database.writer.query(`PRAGMA max_page_count = ${String(pages + more)}`);
  }

  it('2.3 changes that need room are refused with 503 and leave nothing, and are accepted again afterwards', async () => {
    const { id } = await bodyOf(domain.create(record('before')));
    await allowPages(20);
    const large = (label: string): object => ({ name: domain.at(label), type: 'TXT', data: 'x'.repeat(60_000) });
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((label) => domain.create(large(label))));
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toContain(503);
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(await bodyOf(domain.get(id))).toMatchObject(record('before'));
    expect(await domain.records()).toHaveLength(1 + statuses.filter((status) => status === 200).length);
    await allowPages(1_000_000);
    await bodyOf(domain.create(large('after')));
  });
});

describe('a change of another process', () => {
  it('counts for what is decided next', async () => {
    const { id } = await bodyOf(domain.create(record('shared')));
    other.exec('BEGIN IMMEDIATE');
    other.prepare("UPDATE domains SET description = 'by another hand' WHERE id = ?").run(domain.id);
    const update = bodyOf(domain.update(id, { ttl: 60 }));
    await delay(50);
    other.exec('COMMIT');
    await update;
    expect(await domain.now()).toMatchObject({ description: 'by another hand' });
  });
});
