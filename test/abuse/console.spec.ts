import { describe, expect, it, jest } from '@jest/globals';
import { answerOf, bodyOf } from '../support/answers.js';
import { ADMIN_TOKEN } from '../support/service.js';
import { type Target, violationsUnder } from './attack.js';
import { inForm, TEST_TIMEOUT_MS } from './form.js';
import { unlimitedChanges } from './options.js';

jest.setTimeout(TEST_TIMEOUT_MS);

const SETTINGS = { SERVICE_API__AUTH_STRATEGY: 'token', AUTH__ADMIN_TOKEN: ADMIN_TOKEN };
const ADMIN = { 'X-Auth-Token': ADMIN_TOKEN };
/** Another tenant than the good client's. */
const MALLORY = { ...ADMIN, 'X-Auth-Sudo-Tenant-ID': 'mallory' };
const SAME_ORIGIN = { 'Sec-Fetch-Site': 'same-origin' };
const JSON_TYPE = { 'Content-Type': 'application/json' };
/** Records of one import, and how often they come and go. */
const RECORDS = inForm(1000, 100_000);
const CHANGES = inForm(6, 60);

/** Sends requests with the session of a signed-in user. */
async function signIn({ clients }: Target): Promise<Readonly<Record<string, string>>> {
  const answer = await answerOf(
    clients.plain('post', '/console/session').set(SAME_ORIGIN).send({ token: ADMIN_TOKEN }),
  );
  const [cookie = ''] = answer.headers['set-cookie'] as unknown as readonly string[];
  return { ...SAME_ORIGIN, Cookie: cookie.split(';')[0]! };
}

describe('console users', () => {
  it('3.8 do not slow down others by signing in with valid and invalid tokens', async () => {
    const violations = await violationsUnder({
      name: 'sign-ins',
      settings: SETTINGS,
      goodHeaders: ADMIN,
      run: async (target) => {
        const flood = (token: string) =>
          target.flood({
            kind: 'requests',
            parallel: 8,
            times: inForm(400, 8000),
            method: 'POST',
            path: '/console/session',
            headers: { ...SAME_ORIGIN, ...JSON_TYPE },
            body: JSON.stringify({ token }),
          });
        const reports = await Promise.all([flood(ADMIN_TOKEN), flood('zw_wrong')].map(({ ended }) => ended));
        target.note({ statuses: reports.map(({ statuses }) => statuses) });
        for (const { statuses } of reports)
          target.must(!('500' in statuses), `there was a 500: ${JSON.stringify(statuses)}`);
      },
    });
    expect(violations).toEqual([]);
  });

  it('3.7, 3.8, 8.9 do not slow down others by whoami requests with arbitrary cookies', async () => {
    const violations = await violationsUnder({
      name: 'sessions',
      settings: SETTINGS,
      goodHeaders: ADMIN,
      prepare: signIn,
      run: async (target, session) => {
        const many = Array.from({ length: 300 }, (_, at) => `zw_session=${at}`).join('; ');
        const asked = [
          ['/v1/whoami', session],
          ['/v1/usage', session],
          ['/v1/tenants?limit=1000', session],
          ['/v1/tenants?limit=1000&prefix=a', session],
          ['/console/session', session],
          ['/console/session', { ...session, Cookie: many }],
          ['/v1/whoami', { ...SAME_ORIGIN, Cookie: ';'.repeat(8000) }],
          [`/console/oidc/start?return=${'/console/'.repeat(500)}`, SAME_ORIGIN],
        ] as const;
        const floods = asked.map(([path, headers]) =>
          target.flood({ kind: 'requests', parallel: 4, times: inForm(200, 4000), method: 'GET', path, headers }),
        );
        const reports = await Promise.all(floods.map(({ ended }) => ended));
        target.note({ statuses: reports.map(({ statuses }) => statuses) });
        for (const { statuses } of reports)
          target.must(!('500' in statuses), `there was a 500: ${JSON.stringify(statuses)}`);
      },
    });
    expect(violations).toEqual([]);
  });
});

describe('the history of a domain whose changes are large', () => {
  it('11.3, 11.5, 11.8 does not slow down others when listed and undone repeatedly', async () => {
    const violations = await violationsUnder({
      name: 'lists of changes',
      settings: {
        ...SETTINGS,
        ...unlimitedChanges(),
        DEFAULT__QUOTA_ZONE_RECORDS: '200000',
        DEFAULT__QUOTA_ZONE_RECORDSETS: '200000',
      },
      goodHeaders: ADMIN,
      prepare: async ({ clients }) => {
        const call = (method: 'get' | 'post', path: string) => clients.plain(method, path).set(MALLORY);
        const domain = { name: 'changed.example.net.', email: 'hostmaster@example.org' };
        const { id } = await bodyOf<{ id: string }>(call('post', '/v1/domains').send(domain));
        const file = Array.from({ length: RECORDS }, (_, at) => `h${at} A 192.0.2.1\n`).join('');
        const path = `/v1/domains/${id}/import?mode=replace`;
        for (let at = 0; at < CHANGES; at += 1)
          await answerOf(
            call('post', path)
              .set('Content-Type', 'text/dns')
              .send(at % 2 === 0 ? file : 'a A 192.0.2.1\n'),
          );
        return id;
      },
      run: async (target, id) => {
        const path = `/v1/domains/${id}/changes`;
        const lists = target.flood({
          kind: 'requests',
          ...{ parallel: 4, times: inForm(20, 400), method: 'GET', path: `${path}?limit=200`, headers: MALLORY },
        });
        const listsOfAll = target.flood({
          kind: 'requests',
          ...{ parallel: 4, times: inForm(20, 400), method: 'GET', path: '/v1/changes?limit=200', headers: MALLORY },
        });
        const { changes } = await bodyOf<{ changes: readonly { change_id: string }[] }>(
          target.clients.plain('get', path).set(MALLORY),
        );
        const undoing = target.flood({
          kind: 'requests',
          ...{ parallel: 2, times: inForm(4, 60), method: 'POST', headers: { ...MALLORY, ...JSON_TYPE } },
          path: `/v1/domains/${id}/revert?dry_run=true`,
          body: JSON.stringify({ change_id: changes.at(-2)?.change_id }),
        });
        const reports = await Promise.all([lists.ended, listsOfAll.ended, undoing.ended]);
        target.note({ statuses: reports.map(({ statuses }) => statuses) });
        for (const { statuses } of reports)
          target.must(!('500' in statuses), `there was a 500: ${JSON.stringify(statuses)}`);
      },
    });
    expect(violations).toEqual([]);
  });
});
