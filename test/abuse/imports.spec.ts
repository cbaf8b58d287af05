import { describe, expect, it, jest } from '@jest/globals';
import { bodyOf } from '../support/answers.js';
import { MALLORY, type Target, violationsUnder } from './attack.js';
import { inForm, TEST_TIMEOUT_MS } from './form.js';

jest.setTimeout(TEST_TIMEOUT_MS);

/** 73 octets that stand for 65,536 records. */
const LINE = '$GENERATE 1-65536 host-${0,5,d} 3600 IN TXT "this is a number ${0,5,d}."\n';

/** Longest refusal in milliseconds, for an import above the quota of 500 records. */
const LONGEST_REFUSAL = 1000;

async function makeDomain({ clients }: Target): Promise<string> {
  const body = { name: 'mallory.example.net.', email: 'hostmaster@example.org' };
  return (await bodyOf<{ id: string }>(clients.as('mallory').call('post', '/v1/domains', body))).id;
}

describe('a zone file of one line that generates 65,536 records', () => {
  it('is rejected by the quota before most records are generated', async () => {
    const violations = await violationsUnder({
      name: 'one $GENERATE',
      prepare: makeDomain,
      run: async (target, id) => {
        const start = performance.now();
        const sent = target.clients.as('mallory').call('post', `/v1/domains/${id}/import`);
        const answer = await sent.set('Content-Type', 'text/dns').send(LINE);
        const took = performance.now() - start;
        target.note({ status: answer.status, took });
        target.must(answer.status === 413, `the status is ${answer.status}`);
        target.mustTake(took, LONGEST_REFUSAL, 'the import was refused too late');
      },
    });
    expect(violations).toEqual([]);
  });

  it.each([
    ['', inForm(8, 16)],
    ['?dry_run=true', inForm(16, 40)],
  ])('does not slow down others when sent concurrently (%s %d)', async (query, atOnce) => {
    const violations = await violationsUnder({
      name: `$GENERATE ${atOnce} concurrently`,
      prepare: makeDomain,
      run: async (target, id) => {
        const flood = target.flood({
          kind: 'requests',
          parallel: atOnce,
          times: atOnce,
          method: 'POST',
          path: `/v1/domains/${id}/import${query}`,
          headers: { ...MALLORY, 'Content-Type': 'text/dns' },
          body: LINE,
        });
        target.note(await flood.ended);
      },
    });
    expect(violations).toEqual([]);
  });
});
