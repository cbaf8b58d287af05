import { randomUUID } from 'node:crypto';
import { describe, expect, it, jest } from '@jest/globals';
import { bodyOf } from '../support/answers.js';
import { violationsUnder, type Target } from './attack.js';
import { sizeOfDatabase } from './database-size.js';
import { inForm, TEST_TIMEOUT_MS } from './form.js';

jest.setTimeout(TEST_TIMEOUT_MS);

/** 900 kB of text, which are nearly all of a request and of its answer. */
const RECORDS = 15;
const OCTETS = 60_000;
/** Growth in MiB without the writes of the good client; one stored dry run would add almost one. */
const MOST_GROWTH = 16;

async function makeDomain({ clients }: Target): Promise<string> {
  const body = { name: 'mallory.example.net.', email: 'hostmaster@example.org' };
  return (await bodyOf<{ id: string }>(clients.as('mallory').call('post', '/v1/domains', body))).id;
}

const changes = Array.from({ length: RECORDS }, (_, at) => ({
  action: 'create',
  record: { name: `h${at}.mallory.example.net.`, type: 'TXT', data: randomUUID().repeat(OCTETS / 36) },
}));

describe('dry runs of a megabyte, each with a different Idempotency-Key', () => {
  it('fill no disk', async () => {
    const violations = await violationsUnder({
      name: 'dry runs with keys',
      prepare: makeDomain,
      run: async (target, id) => {
        const before = await sizeOfDatabase(target.database);
        const statuses = new Map<number, number>();
        const send = async (): Promise<void> => {
          for (let sent = 0; sent < inForm(15, 150) && !target.signal.aborted; sent += 1) {
            const request = target.clients
              .as('mallory')
              .call('post', `/v1/domains/${id}/changes?dry_run=true`, { changes });
            const { status } = await request.set('Idempotency-Key', randomUUID());
            statuses.set(status, (statuses.get(status) ?? 0) + 1);
          }
        };
        await Promise.all([send(), send()]);
        const grown = (await sizeOfDatabase(target.database)) - before;
        target.note({ statuses: Object.fromEntries(statuses), grown });
        target.must(statuses.has(200), 'no dry run was made');
        target.must(grown < MOST_GROWTH, `the database has grown by ${grown} MiB`);
      },
    });
    expect(violations).toEqual([]);
  });
});
