import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Response } from 'supertest';
import { answerOf, bodyOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import type { DomainBody } from '../support/bodies.js';
import { domainOf, freshName, newDomain, type TestDomain } from '../support/domain.js';
import { queryPostgres } from '../support/postgres/databases.js';
import { holdZones, slowWriting } from '../support/postgres/held.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

jest.setTimeout(120_000);

let service: TestService;
/** Runs after each test, passed or failed. */
let letGo: () => void = () => undefined;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
afterEach(() => {
  letGo();
  letGo = () => undefined;
  audit(service.databaseFile);
});

const mallory = () => service.as('mallory');
const good = () => service.as('good');
const bodyOfDomain = (name: string) => ({ name, email: 'hostmaster@example.org' });

/** A tenant's everyday requests; each responds while others are blocked. */
async function expectServed(domain: TestDomain): Promise<void> {
  await answerOf(domain.create({ name: domain.at('www'), type: 'A', data: '192.0.2.1' }));
  await answerOf(good().call('put', `/v1/domains/${domain.id}`, { email: 'other@example.org' }));
  const made = await bodyOf<DomainBody>(good().call('post', '/v1/domains', bodyOfDomain(freshName())));
  const keyed = good().call('post', '/v1/domains', bodyOfDomain(made.name)).set('Idempotency-Key', made.id);
  expect((await keyed).status).toBe(409);
  await answerOf(good().call('delete', `/v1/domains/${made.id}`));
  await answerOf(service.plain('get', '/readyz'));
}

describe('18.2 domains of one tenant with a locked row', () => {
  const DOMAINS = 12;
  const CLIENTS = 48;

  it('delay that tenant only', async () => {
    const domain = await newDomain(good());
    const domains = await Promise.all(Array.from({ length: DOMAINS }, () => newDomain(mallory())));
    letGo = holdZones(
      service.databaseFile,
      domains.map(({ id }) => id),
    );
    const changes = Array.from({ length: CLIENTS }, (_, at): Promise<Response> => {
      const held = domains[at % DOMAINS]!;
      if (at % 4 === 0) return answered(mallory().call('delete', `/v1/domains/${held.id}`));
      return answered(held.create({ name: held.at(`h${at}`), type: 'A', data: '192.0.2.1' }));
    });
    let settled = 0;
    for (const change of changes) void change.then(() => (settled += 1));
    await expectServed(domain);
    await expectServed(await newDomain(good()));
    // However busy the machine, no request waited for the lock.
    expect(settled).toBe(0);
    letGo();
    letGo = () => undefined;
    const statuses = new Set((await Promise.all(changes)).map(({ status }) => status));
    expect([...statuses].filter((status) => ![200, 404].includes(status))).toEqual([]);
  });

  it('do not prevent the creation of domains when one needs a locked parent', async () => {
    const domain = await newDomain(good());
    const outer = await newDomain(mallory());
    letGo = holdZones(service.databaseFile, [outer.id]);
    const inner = answered(mallory().call('post', '/v1/domains', bodyOfDomain(outer.at('inner'))));
    const foreign = await good().call('post', '/v1/domains', bodyOfDomain(outer.at('foreign')));
    expect(foreign.status).toBe(400);
    await expectServed(domain);
    letGo();
    letGo = () => undefined;
    expect((await inner).status).toBe(200);
  });
});

describe('18.2 an import that creates a large domain', () => {
  const fileOf = (name: string, lines: readonly string[]): string =>
    [`$ORIGIN ${name}`, '@ 3600 IN SOA ns1.example.net. hostmaster 1 3600 600 86400 300', ...lines, ''].join('\n');

  async function begin(name: string, lines: readonly string[]): Promise<string> {
    const sent = mallory().call('post', '/v2/zones/tasks/imports').set('Content-Type', 'text/dns');
    return (await bodyOf<{ id: string }>(sent.send(fileOf(name, lines)), 202)).id;
  }
  interface Task {
    readonly status: string;
    readonly message: string;
    readonly zone_id: string | null;
  }
  const taskOf = (id: string) => bodyOf<Task>(mallory().call('get', `/v2/zones/tasks/imports/${id}`));
  async function endOf(id: string): Promise<Task> {
    await until(async () => (await taskOf(id)).status !== 'PENDING');
    return taskOf(id);
  }

  it('delays no one, not even its own tenant', async () => {
    const domain = await newDomain(good());
    const writing = slowWriting(service.databaseFile);
    letGo = writing.goOn;
    const name = freshName();
    const id = await begin(name, ['www A 192.0.2.1', 'slow A 192.0.2.2']);
    await until(writing.isUnderWay, 20_000);
    await expectServed(domain);
    await answerOf(mallory().call('post', '/v1/domains', bodyOfDomain(freshName())));
    expect(await taskOf(id)).toMatchObject({ status: 'PENDING' });
    writing.goOn();
    const { status, zone_id: zoneId } = await endOf(id);
    expect(status).toBe('COMPLETE');
    const made = await bodyOf<DomainBody>(mallory().call('get', `/v1/domains/${zoneId}`));
    expect((await domainOf(mallory(), made).records()).map((record) => record.name)).toEqual([
      `www.${name}`,
      `slow.${name}`,
    ]);
  });

  it('is checked against the state at its end: a new child domain', async () => {
    const writing = slowWriting(service.databaseFile);
    letGo = writing.goOn;
    const name = freshName();
    const id = await begin(name, ['www.inner A 192.0.2.1', 'slow A 192.0.2.2']);
    await until(writing.isUnderWay, 20_000);
    await answerOf(mallory().call('post', '/v1/domains', bodyOfDomain(`inner.${name}`)));
    writing.goOn();
    const { status, message } = await endOf(id);
    expect({ status, message }).toEqual({ status: 'ERROR', message: expect.stringContaining('www.inner') });
  });

  it('is checked against the state at its end: a new domain of its name', async () => {
    const writing = slowWriting(service.databaseFile);
    letGo = writing.goOn;
    const name = freshName();
    const id = await begin(name, ['www A 192.0.2.1', 'slow A 192.0.2.2']);
    await until(writing.isUnderWay, 20_000);
    await answerOf(good().call('post', '/v1/domains', bodyOfDomain(name)));
    writing.goOn();
    const { status, message } = await endOf(id);
    expect({ status, message }).toEqual({ status: 'ERROR', message: expect.stringContaining(name) });
  });
});

describe('16.2 locked tables', () => {
  it.each(['records', 'zones'])('make the service unready: %s', async (table) => {
    await newDomain(good());
    queryPostgres(service.databaseFile, 'BEGIN');
    letGo = () => void queryPostgres(service.databaseFile, 'ROLLBACK');
    queryPostgres(service.databaseFile, `LOCK TABLE ${table} IN EXCLUSIVE MODE`);
    const status = async () => (await service.plain('get', '/readyz')).status;
    await until(async () => (await status()) === 503, 20_000);
    letGo();
    letGo = () => undefined;
    await until(async () => (await status()) === 200, 20_000);
  });
});

/** Sends a request now; one that is not waited for is sent only then. */
function answered(test: PromiseLike<Response>): Promise<Response> {
  return new Promise((resolve, reject) => {
    test.then(resolve, reject);
  });
}
