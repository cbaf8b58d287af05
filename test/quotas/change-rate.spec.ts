import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectRefusal, expectStatus } from '../support/answers.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';

const PER_MINUTE = 20;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ SERVICE_API__CHANGES_PER_MINUTE: String(PER_MINUTE) });
});
afterAll(() => service.stop());

/** A domain of a tenant that has made no other change. */
function domainOfNewTenant(tenant: string): Promise<TestDomain> {
  return newDomain(service.as(tenant));
}

const txt = (domain: TestDomain, data = 'x') => ({ name: domain.at('txt'), type: 'TXT', data });

describe('the rate of changes', () => {
  it('8.7 refuses one more with 429 and Retry-After; reads and other tenants continue', async () => {
    const domain = await domainOfNewTenant('busy');
    const { id } = await domain.newRecord(txt(domain));
    let answer = await domain.update(id, { data: '0' });
    for (let change = 1; change < PER_MINUTE + 2 && answer.status === 200; change++)
      answer = await domain.update(id, { data: String(change) });
    expectRefusal(answer, { status: 429, type: 'rate_limited', faults: [] });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(60 / PER_MINUTE);
    expectRefusal(await domain.delete(id), { status: 429, type: 'rate_limited' });
    expectStatus(await domain.get(id), 200);
    expect((await domainOfNewTenant('calm')).serial).toBeGreaterThan(0);
  });

  it('8.7 counts a large record by its size', async () => {
    const domain = await domainOfNewTenant('large');
    expectStatus(await domain.create(txt(domain, 'x'.repeat(20_000))), 200);
    const statuses = [];
    for (let change = 0; change < 3; change++)
      statuses.push((await domain.create({ ...txt(domain, 'y'.repeat(20_000) + String(change)) })).status);
    expect(statuses).toEqual([200, 429, 429]);
  });

  it('8.7 lets a whole import through, and then delays further changes', async () => {
    const domain = await domainOfNewTenant('importer');
    const lines = Array.from({ length: 3 * PER_MINUTE }, (_, at) => `h${at} A 192.0.2.1\n`).join('');
    expectStatus(await domain.sendFile(lines), 200);
    const refused = await domain.create(txt(domain));
    expectRefusal(refused, { status: 429, type: 'rate_limited' });
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60 + 60 / PER_MINUTE);
  });
});

describe('the rate of changes that read much', () => {
  const RECORDS = 20;
  let roomy: TestService;
  beforeAll(async () => {
    roomy = await startTestService({ SERVICE_API__CHANGES_PER_MINUTE: '2000' });
  });
  afterAll(() => roomy.stop());

  /** Statuses of `times` dry runs that delete all records. */
  async function statusesOfDryRuns(data: string, times: number): Promise<Set<number>> {
    const domain = await newDomain(roomy.as(`reader-${data.length}`));
    const changes = [];
    for (let at = 0; at < RECORDS; at += 1) {
      const { id } = await domain.newRecord({ name: domain.at(`h${at}`), type: 'TXT', data });
      changes.push({ action: 'delete', id });
    }
    const statuses = new Set<number>();
    for (let at = 0; at < times && !statuses.has(429); at += 1) {
      const path = `/v1/domains/${domain.id}/changes?dry_run=true`;
      statuses.add((await roomy.as(`reader-${data.length}`).call('post', path, { changes })).status);
    }
    return statuses;
  }

  it('8.7 counts the reads of a dry run', async () => {
    expect(await statusesOfDryRuns('x'.repeat(60_000), 100)).toEqual(new Set([200, 429]));
  });

  it('8.7 counts a small dry run as one', async () => {
    expect(await statusesOfDryRuns('x', 100)).toEqual(new Set([200]));
  });
});
