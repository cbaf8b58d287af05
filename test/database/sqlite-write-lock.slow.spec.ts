import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Database } from '../support/sqlite.js';
import { assembleTestService, type AssembledService } from '../support/assembled-service.js';
import { audit } from '../support/audit.js';
import { answerOf, bodyOf, refusalOf } from '../support/answers.js';
import { newDomain, type TestDomain } from '../support/domain.js';

const PATIENCE = 1000;
const LONG_PATIENCE = 20_000;

let service: AssembledService;
let domain: TestDomain;
/** A connection outside the service, with the file access of another process. */
let other: Database;

async function assemble(lockTimeoutMs: number): Promise<void> {
  service = await assembleTestService({ lockTimeoutMs });
  other = new Database(service.databaseFile);
}
afterEach(() => {
  if (other.inTransaction) other.exec('ROLLBACK');
  audit(service.databaseFile);
});
beforeEach(async () => {
  domain = await newDomain(service);
});
async function takeApart(): Promise<void> {
  other.close();
  await service.stop();
}

const record = (label: string): object => ({ name: domain.at(label), type: 'A', data: '192.0.2.1' });

describe('while another process holds the write lock', () => {
  beforeAll(() => assemble(LONG_PATIENCE));
  afterAll(takeApart);

  it('18.2 changes wait separately, and reads continue', async () => {
    const { id } = await bodyOf(domain.create(record('before')));
    other.exec('BEGIN IMMEDIATE');
    let answered = 0;
    const changes = ['a', 'b', 'c', 'before'].map(async (label) => {
      const { status } = await domain.create(record(label));
      answered += 1;
      return status;
    });
    for (let reads = 0; reads < 10; reads++) {
      await bodyOf(domain.get(id));
      await delay(100);
    }
    expect(await domain.records()).toHaveLength(1);
    expect(answered).toBe(0);
    other.exec('COMMIT');
    expect(await Promise.all(changes)).toEqual([200, 200, 200, 409]);
    expect(await domain.records()).toHaveLength(4);
  });

  it('2.3 an invalid body is refused immediately', async () => {
    other.exec('BEGIN IMMEDIATE');
    await refusalOf(domain.create({}), 400, 'invalid_object');
  });

  it('18.2 its changes count for later decisions', async () => {
    const { id } = await bodyOf(domain.create(record('shared')));
    const describe = other.prepare('UPDATE zones SET description = ? WHERE id = ?');
    other.exec('BEGIN IMMEDIATE');
    describe.run('by another hand', domain.id);
    const update = bodyOf(domain.update(id, { ttl: 60 }));
    await delay(50);
    other.exec('COMMIT');
    await update;
    expect(await domain.now()).toMatchObject({ description: 'by another hand' });
    // Writes from outside leave no journal, which the audit would report.
    describe.run(null, domain.id);
  });
});

describe('when another process holds the write lock for too long', () => {
  beforeAll(() => assemble(PATIENCE));
  afterAll(takeApart);

  it('18.2 changes are refused with 503 and Retry-After, and accepted again afterwards', async () => {
    other.exec('BEGIN IMMEDIATE');
    const { headers } = await answerOf(domain.create(record('early')), 503);
    expect(headers['retry-after']).toMatch(/^[1-9][0-9]*$/);
    expect(await domain.records()).toEqual([]);
    other.exec('ROLLBACK');
    await answerOf(domain.create(record('early')));
    expect(await domain.records()).toMatchObject([record('early')]);
  });

  it('18.2 each change has its own timeout, independent of earlier changes', async () => {
    other.exec('BEGIN IMMEDIATE');
    const start = performance.now();
    const refused = async (label: string): Promise<number> => {
      await answerOf(domain.create(record(label)), 503);
      return performance.now() - start;
    };
    const early = refused('early');
    await delay(PATIENCE / 4);
    const [first, second] = await Promise.all([early, refused('late')]);
    expect(first).toBeGreaterThan(PATIENCE * 0.9);
    expect(second - first).toBeLessThan(PATIENCE * 0.75);
  });
});

// As in a worker that ran a test of another project first: the driver's errors are no instances of this realm's Error.
describe.each(['of this realm', 'of another realm'])('when the disk is full, with errors %s', (realm) => {
  const { prototype } = Database.SqliteError;
  const parent = Object.getPrototypeOf(prototype) as object;
  beforeAll(async () => {
    await assemble(PATIENCE);
    if (realm === 'of another realm') Object.setPrototypeOf(prototype, Object.prototype);
  });
  afterAll(async () => {
    Object.setPrototypeOf(prototype, parent);
    await takeApart();
  });

  /** Limits the file to its present pages and `more`. */
  async function allowPages(more: number): Promise<void> {
    const pages = other.pragma('page_count', { simple: true }) as number;
    await service.database.writer.query(`PRAGMA max_page_count = ${String(pages + more)}`);
  }

  it('18.2 changes that need room are refused with 503 and leave nothing, and are accepted again afterwards', async () => {
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
