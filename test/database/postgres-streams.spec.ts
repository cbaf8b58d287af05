import { afterAll, beforeAll, it } from '@jest/globals';
import { entityManagerOf } from '../../src/database/transaction.js';
import { answerOf, expectStatus } from '../support/answers.js';
import { assembleTestService, type AssembledService } from '../support/assembled-service.js';
import type { Test } from 'supertest';
import { newDomain, type TestDomain } from '../support/domain.js';
import type { Client } from '../support/service.js';

/** As many connections as a process has for whole zones. */
const CONNECTIONS = 3;

let service: AssembledService;
let client: Client;
let zone: TestDomain;
/** The serial of the new domain. */
let serial: number;

beforeAll(async () => {
  service = await assembleTestService({});
  client = service.as('tenant-a');
  zone = await newDomain(client);
  ({ serial } = zone);
  await zone.newRecord();
});
afterAll(() => service.stop());

const WAYS: readonly { readonly what: string; readonly ask: () => Test }[] = [
  { what: 'diffs', ask: () => client.call('get', `/v1/domains/${zone.id}/diff?from=${serial}`) },
  {
    what: 'reverts',
    ask: () => client.call('post', `/v1/domains/${zone.id}/revert?dry_run=true`, { serial }),
  },
  { what: 'earlier states', ask: () => client.call('get', `/v1/domains/${zone.id}/export?serial=${serial}`) },
];

it.each(WAYS)('15.6 $what of one tenant leave others connections to read whole zones', async ({ ask }) => {
  const other = await newDomain(service.as('tenant-b'));
  const { held, asked } = await service.database.unitOfWork.run(async (tx) => {
    // Journal readers have to wait while holding their connection.
    await entityManagerOf(tx).query('LOCK TABLE journal IN ACCESS EXCLUSIVE MODE');
    const asked = Array.from({ length: CONNECTIONS }, () => ask().then((answer) => answer));
    await waitingForJournal();
    return { held: await other.fetchFile(), asked };
  });
  expectStatus(held, 200);
  for (const answer of await Promise.all(asked)) expectStatus(answer, 200);
});

/** Until a request stands before the lock, and those behind it had the time to. */
async function waitingForJournal(): Promise<void> {
  const waiting = (): Promise<unknown[]> =>
    service.database.reads.run((tx) =>
      entityManagerOf(tx).query(
        'SELECT 1 FROM pg_locks JOIN pg_database d ON d.oid = database WHERE datname = current_database() AND NOT granted',
      ),
    );
  while ((await waiting()).length === 0) await answerOf(client.call('get', '/'));
  for (let turn = 0; turn < 10; turn += 1) await answerOf(client.call('get', '/'));
}
