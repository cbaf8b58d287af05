import { describe, expect, it, jest } from '@jest/globals';
import { answerOf } from '../support/answers.js';
import { ADMIN_TOKEN } from '../support/service.js';
import { type Target, violationsUnder } from './attack.js';
import { inForm, TEST_TIMEOUT_MS } from './form.js';

jest.setTimeout(TEST_TIMEOUT_MS);

const SETTINGS = { SERVICE_API__AUTH_STRATEGY: 'token', AUTH__ADMIN_TOKEN: ADMIN_TOKEN };
const ADMIN = { 'X-Auth-Token': ADMIN_TOKEN };
const SAME_ORIGIN = { 'Sec-Fetch-Site': 'same-origin' };
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Asks with the session of somebody who has signed in. */
async function signIn({ clients }: Target): Promise<Readonly<Record<string, string>>> {
  const answer = await answerOf(
    clients.plain('post', '/console/session').set(SAME_ORIGIN).send({ token: ADMIN_TOKEN }),
  );
  const [cookie = ''] = answer.headers['set-cookie'] as unknown as readonly string[];
  return { ...SAME_ORIGIN, Cookie: cookie.split(';')[0]! };
}

describe('people who sign in', () => {
  it('3.8 all the time, with tokens that are good and tokens that are none, hold nobody up', async () => {
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

  it('3.7, 3.8, 8.9 ask who they are and what they have, with cookies of any kind', async () => {
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
