import { expect, it, jest } from '@jest/globals';
import { expectStatus } from '../support/answers.js';
import { newDomain } from '../support/domain.js';
import { queryPostgres } from '../support/postgres/databases.js';
import { seedRecords } from '../support/seed.js';
import { type Target, violationsUnder } from './attack.js';
import { inForm, TEST_TIMEOUT_MS } from './form.js';
import { whileReady } from './readiness.js';

jest.setTimeout(TEST_TIMEOUT_MS);

const DOMAINS = inForm(2, 5);
const RECORDS = inForm(10_000, 20_000);
/** In milliseconds. A full scan for each row takes minutes. */
const LONGEST_DELETE = 20_000;
const OF_ZONES = ['records', 'record_sets', 'journal'];

/**
 * Domains that are unknown to the statistics, which stay outdated: large domains were just deleted, so the planner
 * takes the tables for almost empty.
 */
async function makeUnknownDomains({ clients, database }: Target): Promise<string[]> {
  const mallory = clients.as('mallory');
  for (const table of OF_ZONES) queryPostgres(database, `ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
  const { id: former } = await newDomain(mallory);
  seedRecords(database, former, DOMAINS * RECORDS);
  expectStatus(await mallory.call('delete', `/v1/domains/${former}`), 200);
  for (const table of OF_ZONES) queryPostgres(database, `ANALYZE ${table}`);
  const ids: string[] = [];
  for (let at = 0; at < DOMAINS; at += 1) {
    const { id } = await newDomain(mallory);
    seedRecords(database, id, RECORDS);
    ids.push(id);
  }
  return ids;
}

it('18.2 deletes large domains immediately without statistics and does not slow down others', async () => {
  const violations = await violationsUnder({
    name: 'deleting domains that are younger than the statistics',
    prepare: makeUnknownDomains,
    run: (target, ids) =>
      whileReady(target, async () => {
        const begun = performance.now();
        const answers = await Promise.all(
          ids.map(async (id) => target.clients.as('mallory').call('delete', `/v1/domains/${id}`)),
        );
        const took = performance.now() - begun;
        const statuses = answers.map(({ status }) => status);
        target.note({ statuses, took });
        target.must(
          statuses.every((status) => status === 200),
          `the statuses are ${statuses.join()}`,
        );
        target.mustTake(took, LONGEST_DELETE, 'the domains were deleted too late');
      }),
  });
  expect(violations).toEqual([]);
});
