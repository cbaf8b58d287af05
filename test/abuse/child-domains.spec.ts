import { describe, expect, it, jest } from '@jest/globals';
import type { Test } from 'supertest';
import { answerOf, bodyOf } from '../support/answers.js';
import type { Client } from '../support/service.js';
import { type Target, violationsUnder } from './attack.js';
import { inForm, TEST_TIMEOUT_MS } from './form.js';

jest.setTimeout(TEST_TIMEOUT_MS);

const ROUNDS = inForm(100, 300);
/** More domains and records than the defaults allow. */
const ROOM = {
  DEFAULT__QUOTA_ZONES: '10000',
  DEFAULT__QUOTA_ZONE_RECORDS: '10000',
  DEFAULT__QUOTA_ZONE_RECORDSETS: '10000',
};

const makeDomain = (client: Client, name: string): Test =>
  client.call('post', '/v1/domains', { name, email: 'hostmaster@example.org' });
const makeRecord = (client: Client, id: string, name: string, type = 'A', data = '192.0.2.1'): Test =>
  client.call('post', `/v1/domains/${id}/records`, { name, type, data });

async function makeParent({ clients }: Target): Promise<{ id: string; owner: Client }> {
  const owner = clients.as('owner');
  const { id } = await bodyOf<{ id: string }>(makeDomain(owner, 'parent.example.org.'));
  return { id, owner };
}

describe('a child domain', () => {
  it('7.3 rejects a child zone over existing records of its parent, for every caller', async () => {
    const violations = await violationsUnder({
      name: 'child over records of its parent',
      prepare: makeParent,
      run: async (target, { id, owner }) => {
        await answerOf(makeRecord(owner, id, 'www.sub.parent.example.org.'));
        await answerOf(makeRecord(owner, id, 'here.parent.example.org.'));
        // The delegation is not one of the child's own records.
        await answerOf(makeRecord(owner, id, 'cut.parent.example.org.', 'NS', 'ns1.example.net.'));
        await answerOf(makeRecord(owner, id, 'subway.parent.example.org.'));
        const expected = [
          ['sub.parent.example.org.', 400],
          ['www.sub.parent.example.org.', 400],
          ['here.parent.example.org.', 400],
          ['HERE.parent.example.org.', 400],
          ['cut.parent.example.org.', 200],
          ['way.parent.example.org.', 200],
        ] as const;
        for (const [name, status] of expected) {
          const answer = await makeDomain(owner, name);
          target.must(answer.status === status, `${name} is answered ${answer.status}`);
          target.must(
            status === 200 || answer.body.type === 'illegal_child',
            `${name} is refused as ${answer.body.type}`,
          );
          const stranger = await makeDomain(target.clients.as('stranger'), `x.${name}`);
          target.must(stranger.status === 400, `a stranger's domain below ${name} is answered ${stranger.status}`);
        }
        const admin = await makeDomain(target.clients.as('owner', 'admin'), 'sub.parent.example.org.');
        target.must(admin.status === 400, `an admin is answered ${admin.status}`);
      },
    });
    expect(violations).toEqual([]);
  });

  it(`5.7, 7.3 accepts a child zone or a record inside it, not both, when created concurrently (${ROUNDS} rounds)`, async () => {
    const violations = await violationsUnder({
      name: 'child and record concurrently',
      settings: ROOM,
      prepare: makeParent,
      run: async (target, { id, owner }) => {
        const tally: Record<string, number> = {};
        for (let round = 0; round < ROUNDS && !target.signal.aborted; round++) {
          const name = `sub${round}.parent.example.org.`;
          const child = (): Test => makeDomain(owner, name);
          const record = (): Test => makeRecord(owner, id, `www.${name}`);
          const requests = round % 2 === 0 ? [child(), record()] : [record(), child()];
          const answers = await Promise.all(requests.map(async (sent) => (await sent).status));
          const outcome = (round % 2 === 0 ? answers : answers.toReversed()).join(' ');
          tally[outcome] = (tally[outcome] ?? 0) + 1;
        }
        target.note({ childThenRecord: tally });
        const strange = Object.keys(tally).filter((outcome) => outcome !== '200 400' && outcome !== '400 200');
        target.must(strange.length === 0, `child and record were answered ${strange.join(', ')}`);
      },
    });
    expect(violations).toEqual([]);
  });

  it('5.7, 7.3 accepts a child zone or an import with names inside it, not both', async () => {
    const violations = await violationsUnder({
      name: 'child and import at once',
      settings: ROOM,
      prepare: makeParent,
      run: async (target, { id, owner }) => {
        for (let round = 0; round < inForm(10, 50) && !target.signal.aborted; round++) {
          const name = `sub${round}.parent.example.org.`;
          const lines = Array.from({ length: 50 }, (_, at) => `h${at}.${name} IN A 192.0.2.1\n`).join('');
          const sent = owner.call('post', `/v1/domains/${id}/import`).set('Content-Type', 'text/dns').send(lines);
          const [imported, made] = await Promise.all([sent, makeDomain(owner, name)]);
          const statuses = [imported.status, made.status].sort().join(' ');
          target.must(statuses === '200 400', `import and child were answered ${statuses}`);
        }
      },
    });
    expect(violations).toEqual([]);
  });
});
