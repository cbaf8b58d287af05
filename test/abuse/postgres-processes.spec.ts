import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { Test } from 'supertest';
import { answerOf, bodyOf } from '../support/answers.js';
import { domainOf, freshName, newDomain, type TestDomain } from '../support/domain.js';
import { queryPostgres } from '../support/postgres/databases.js';
import { slowWriting } from '../support/postgres/held.js';
import { killAll, runCommand, type ServiceProcess, startServiceProcess } from '../support/process.js';
import { clientsOf } from '../support/service.js';
import { until } from '../support/until.js';
import { type Target, violationsUnder } from './attack.js';
import { inForm, TEST_TIMEOUT_MS } from './form.js';
import { whileReady } from './readiness.js';
import { linesOf, ROOMY } from './roomy.js';
import { Statuses } from './statuses.js';

jest.setTimeout(TEST_TIMEOUT_MS);

/** In milliseconds: behind it a request that waits for a lock is refused. */
const LOCK_TIMEOUT = 10_000;

/** Other processes on the attacked database. */
const processes: ServiceProcess[] = [];
afterEach(async () => {
  for (const service of processes) killAll(service);
  await Promise.all(processes.splice(0).map(({ ended }) => ended));
});

async function startBeside({ directory, env }: Target, settings: Record<string, string> = {}): Promise<ServiceProcess> {
  const service = await startServiceProcess(directory, { ...env, ...settings });
  processes.push(service);
  return service;
}

describe('18.2 stopped processes', () => {
  const PROCESSES = inForm(1, 4);

  interface Interrupted {
    readonly domain: TestDomain;
    readonly importing: Promise<number>;
  }

  /** An import that cannot get to its end holds the domain. */
  async function standStill(target: Target, service: ServiceProcess): Promise<Interrupted> {
    const domain = await newDomain(clientsOf(service.url).as('mallory'));
    const importing = domain.sendFile(`${linesOf(100)}slow 300 IN A 192.0.2.1\n`).then(({ status }) => status);
    const free = 'SELECT 1 FROM zones WHERE id = $1 FOR UPDATE SKIP LOCKED';
    await until(() => queryPostgres(target.database, free, [domain.id]).length === 0);
    service.signal('SIGSTOP');
    return { domain, importing };
  }

  it('in the middle of a change lose the change and delay no other change', async () => {
    const violations = await violationsUnder({
      name: 'processes that stand still',
      settings: ROOMY,
      prepare: async (target) => ({
        doomed: await Promise.all(Array.from({ length: PROCESSES }, () => startBeside(target))),
        writing: slowWriting(target.database),
      }),
      run: async (target, { doomed, writing }) => {
        const statuses = new Statuses();
        const interrupted = await Promise.all(doomed.map((service) => standStill(target, service)));
        await whileReady(target, async () => {
          writing.goOn();
          const begun = performance.now();
          for (const { domain } of interrupted) {
            const here = domainOf(target.clients.as('mallory'), domain);
            await answerOf(here.create({ name: here.at('www'), type: 'A', data: '192.0.2.9' }));
          }
          const waited = performance.now() - begun;
          target.note({ waited });
          target.must(waited < LOCK_TIMEOUT, `a change waited for ${Math.round(waited)} ms`);
        });
        for (const service of doomed) service.signal('SIGCONT');
        for (const { domain, importing } of interrupted) {
          statuses.count(await importing);
          const names = (await domain.records()).map(({ name }) => name);
          target.must(names.join() === domain.at('www'), `there is ${names.join()}`);
        }
        statuses.expect(target, 'interrupted', [503]);
      },
    });
    expect(violations).toEqual([]);
  });
});

describe('18.2 an import that creates a large domain', () => {
  const RECORDS = inForm(500, 60_000);
  const ROUNDS = inForm(5, 100);

  it('does not prevent others from creating domains and tokens, nor from getting errors', async () => {
    const violations = await violationsUnder({
      name: 'an import that makes a large domain',
      settings: ROOMY,
      prepare: async (target) => ({ ask: await askerBeside(target), writing: slowWriting(target.database) }),
      run: async (target, { ask, writing }) => {
        const name = freshName();
        const soa = '@ 3600 IN SOA ns1.example.net. hostmaster 1 3600 600 86400 300\n';
        const file = `$ORIGIN ${name}\n${soa}${linesOf(RECORDS)}slow 300 IN A 192.0.2.1\n`;
        const mallory = target.clients.as('mallory');
        const sent = mallory.call('post', '/v2/zones/tasks/imports').set('Content-Type', 'text/dns').send(file);
        const { id } = await bodyOf<{ id: string }>(sent, 202);
        const statusOf = async (): Promise<string> =>
          (await bodyOf<{ status: string }>(mallory.call('get', `/v2/zones/tasks/imports/${id}`))).status;
        await until(writing.isUnderWay);
        let slowest = 0;
        await whileReady(target, async () => {
          for (let round = 0; round < ROUNDS; round += 1) slowest = Math.max(slowest, await slowestOf(target, ask));
          target.must((await statusOf()) === 'PENDING', 'the import has not been waited for by anybody');
          writing.goOn();
          while ((await statusOf()) === 'PENDING' && !target.signal.aborted)
            slowest = Math.max(slowest, await slowestOf(target, ask));
        });
        target.note({ slowest });
        const status = await statusOf();
        target.must(status === 'COMPLETE', `the import ended as ${status}`);
        target.mustTake(slowest, LOCK_TIMEOUT / 2, 'another tenant waited too long');
      },
    });
    expect(violations).toEqual([]);
  });

  type Asker = (path: string, body: object, headers?: Record<string, string>) => Test;

  /** A token holder who calls another process. */
  async function askerBeside(target: Target): Promise<Asker> {
    const settings = { ZONEWRIGHT_SERVICE_API__AUTH_STRATEGY: 'token' };
    const { url } = await startBeside(target, settings);
    const create = ['token', 'create', '--tenant', 'other'];
    const { stdout } = await runCommand(target.directory, { ...target.env, ...settings }, create);
    return (path, body, headers = {}) =>
      clientsOf(url)
        .plain('post', path)
        .set({ 'X-Auth-Token': stdout.trim(), 'Content-Type': 'application/json', ...headers })
        .send(JSON.stringify(body));
  }

  /** Longest duration in milliseconds of requests by others outside existing domains. */
  async function slowestOf({ clients }: Target, ask: Asker): Promise<number> {
    const timed = async (sent: Test, status: number): Promise<number> => {
      const begun = performance.now();
      await answerOf(sent, status);
      return performance.now() - begun;
    };
    const body = { name: freshName(), email: 'hostmaster@example.org' };
    const here = { ...body, name: freshName() };
    return Math.max(
      // In the process that imports as well.
      await timed(clients.as('other').call('post', '/v1/domains', here), 200),
      await timed(ask('/v1/domains', body), 200),
      // The name is taken by now. The refusal is stored for the key, so the key then belongs to another request.
      await timed(ask('/v1/domains', body, { 'Idempotency-Key': body.name }), 409),
      await timed(ask('/v1/domains', { ...body, ttl: 60 }, { 'Idempotency-Key': body.name }), 422),
      await timed(ask('/v1/tokens', {}), 200),
    );
  }
});
