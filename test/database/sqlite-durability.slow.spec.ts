import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '../support/sqlite.js';
import { entityManagerOf } from '../../src/database/transaction.js';
import { UnitOfWork } from '../../src/database/unit-of-work.js';
import { bodyOf } from '../support/answers.js';
import type { DomainBody, ListedBody } from '../support/bodies.js';
import { domainOf, newDomain, type TestDomain } from '../support/domain.js';
import { audit } from '../support/audit.js';
import { runCommand, type ServiceProcess, startServiceProcess } from '../support/process.js';
import { type Clients, clientsOf, databaseFileIn, environmentOf, startTestService } from '../support/service.js';

const KILLS = 3;
const WRITERS = 8;

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-durable-'));
});
afterAll(() => rm(directory, { recursive: true }));

describe('the writer', () => {
  it('18.1 logs ahead and syncs fully', async () => {
    const service = await startTestService();
    try {
      const unitOfWork = service.running.application.app.get(UnitOfWork, { strict: false });
      const pragmas = await unitOfWork.run(async (tx) => [
        await entityManagerOf(tx).query('PRAGMA journal_mode'),
        await entityManagerOf(tx).query('PRAGMA synchronous'),
      ]);
      const FULL = 2;
      expect(pragmas).toEqual([[{ journal_mode: 'wal' }], [{ synchronous: FULL }]]);
    } finally {
      await service.stop();
    }
  });
});

/** What a client has been told: the last acknowledged state of each record it made. */
type Acknowledged = Map<string, { readonly data: string } | 'deleted'>;

describe('18.1 an acknowledged change', () => {
  it('is visible to another process immediately', async () => {
    const service = await startServiceProcess(directory, environmentOf(directory));
    try {
      const domain = await newDomain(clientsOf(service.url));
      const other = new Database(databaseFileIn(directory), { readonly: true });
      const stored = other.prepare('SELECT data FROM records WHERE id = ?').pluck();
      for (let at = 0; at < 50; at++) {
        const { id, data } = await bodyOf(
          domain.create({ name: domain.at(`h${String(at)}`), type: 'A', data: `192.0.2.${String(at)}` }),
        );
        expect(stored.get(id)).toBe(data);
      }
      other.close();
    } finally {
      await killed(service);
    }
  });

  it(`survives kill -9 under load, ${String(KILLS)} times`, async () => {
    const acknowledged: Acknowledged = new Map();
    let domain: DomainBody | undefined;
    for (let round = 0; round < KILLS; round++) {
      const service = await startServiceProcess(directory, environmentOf(directory));
      const clients = clientsOf(service.url);
      domain ??= await newDomain(clients);
      await expectEverything(clients, domain, acknowledged);
      const writing = Promise.all(
        Array.from({ length: WRITERS }, (_, at) =>
          write(domainOf(clients, domain!), `r${String(round)}w${String(at)}`, acknowledged),
        ),
      );
      await new Promise((resolve) => setTimeout(resolve, 300 + round * 100));
      await killed(service);
      await writing;
      audit(databaseFileIn(directory));
    }
    const service = await startServiceProcess(directory, environmentOf(directory));
    await expectEverything(clientsOf(service.url), domain!, acknowledged);
    await killed(service);
    expect(acknowledged.size).toBeGreaterThan(WRITERS);
  });

  it('survives concurrent writes of the command line', async () => {
    const env = environmentOf(directory, {
      SERVICE_API__AUTH_STRATEGY: 'token',
      AUTH__ADMIN_TOKEN: 'the-first-admin-token',
    });
    const service = await startServiceProcess(directory, env);
    try {
      const admin = tokenClient(service.url, 'the-first-admin-token');
      const domain = await newDomain(admin);
      const acknowledged: Acknowledged = new Map();
      const writers = new AbortController();
      const writing = Promise.all([1, 2, 3].map((n) => write(domain, `cli${String(n)}`, acknowledged, writers.signal)));
      const { code, stdout, stderr } = await runCommand(directory, env, [
        'token',
        'create',
        '--tenant',
        'acme',
        '--role',
        'member',
      ]);
      expect({ code, stderr }).toMatchObject({ code: 0 });
      const member = tokenClient(service.url, stdout.trim());
      await newDomain(member);
      writers.abort();
      await writing;
      expect(acknowledged.size).toBeGreaterThan(3);
      await expectEverything(admin, domain, acknowledged);
    } finally {
      await killed(service);
    }
    audit(databaseFileIn(directory));
  });
});

async function killed(service: ServiceProcess): Promise<void> {
  service.signal('SIGKILL');
  await service.ended;
}

function tokenClient(url: string, token: string): Clients {
  const clients = clientsOf(url);
  const call: Clients['call'] = (method, path, body) => clients.call(method, path, body).set('X-Auth-Token', token);
  return { ...clients, call };
}

/** Creates, updates and deletes records until the service exits, and tracks acknowledged states. */
async function write(domain: TestDomain, writer: string, acknowledged: Acknowledged, end?: AbortSignal): Promise<void> {
  for (let at = 0; end?.aborted !== true; at++) {
    const name = domain.at(`${writer}-${String(at)}`);
    try {
      const { id, data } = await bodyOf(domain.create({ name, type: 'TXT', data: 'created' }));
      acknowledged.set(id, { data });
      if (at % 3 === 1) acknowledged.set(id, await bodyOf(domain.update(id, { data: 'updated' })));
      if (at % 3 === 2 && (await domain.delete(id)).status === 200) acknowledged.set(id, 'deleted');
    } catch (error) {
      if (isGone(error)) return;
      throw error;
    }
  }
}

/** By its code alone: an error of Node's own is no instance of the Error that jest's sandbox has. */
function isGone(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return ['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes(String(code));
}

/** A change in progress at the kill may be stored without a response; acknowledged changes must be stored. */
async function expectEverything(clients: Clients, domain: DomainBody, acknowledged: Acknowledged): Promise<void> {
  const stored = new Map(
    (await domainOf(clients, domain).records()).map((record): [string, ListedBody] => [record.id, record]),
  );
  const NEXT: Readonly<Record<string, readonly (string | undefined)[]>> = {
    created: ['created', 'updated', undefined],
    updated: ['updated'],
    deleted: [undefined],
  };
  for (const [id, told] of acknowledged) {
    const state = told === 'deleted' ? told : told.data;
    expect(NEXT[state]).toContain(stored.get(id)?.data);
  }
}
