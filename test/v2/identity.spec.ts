import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { expectStatus } from '../support/answers.js';
import { ADMIN_TOKEN, startTestService, type TestService } from '../support/service.js';
import { PROBES } from '../support/v2-probe.js';

const ID = randomUUID();
const PROBE = `/v2/probes/${ID}`;

interface Shown {
  readonly caller: { readonly tenantId: string; readonly allTenants: boolean; readonly [wish: string]: unknown };
}

describe('3.6 callers', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({}, undefined, [PROBES]);
  });
  afterAll(() => service.stop());

  const callerOf = (answer: Response): Shown['caller'] => {
    expectStatus(answer, 200);
    return (answer.body as Shown).caller;
  };
  const admin = (headers: Record<string, string>, query = '') =>
    service.as('tenant-a', 'admin').call('get', `${PROBE}${query}`).set(headers);
  const expectForbidden = (answer: Response) => {
    expectStatus(answer, 403);
    expect(answer.body).toMatchObject({ code: 403, type: 'forbidden' });
  };

  it.each(['X-Auth-Sudo-Project-ID', 'X-Auth-Sudo-Tenant-ID'])('may be for another project by %s', async (name) => {
    expect(callerOf(await admin({ [name]: 'tenant-b' }))).toMatchObject({ tenantId: 'tenant-b', allTenants: false });
    for (const project of ['tenant-a', 'tenant-b'])
      expectForbidden(await service.as('tenant-a').call('get', PROBE).set(name, project));
  });

  it('may name the project in both headers, but no two projects', async () => {
    const both = (tenant: string) => ({ 'X-Auth-Sudo-Project-ID': 'tenant-b', 'X-Auth-Sudo-Tenant-ID': tenant });
    expect(callerOf(await admin(both('tenant-b'))).tenantId).toBe('tenant-b');
    expectForbidden(await admin(both('tenant-c')));
    expectForbidden(await admin({ 'X-Auth-Sudo-Project-ID': ' ' }));
  });

  it.each(['True', 'true', '1', 'yes', 'on', 't', 'Y'])(
    'may be for all projects when X-Auth-All-Projects is %s',
    async (yes) => {
      expect(callerOf(await admin({ 'X-Auth-All-Projects': yes }))).toMatchObject({ allTenants: true });
      expect(callerOf(await admin({}, `?all_projects=${yes}`))).toMatchObject({ allTenants: true });
      expect(callerOf(await admin({}, `?all_tenants=${yes}`))).toMatchObject({ allTenants: true });
      expectForbidden(await service.as('tenant-a').call('get', PROBE).set('X-Auth-All-Projects', yes));
      expectForbidden(await service.as('tenant-a').call('get', `${PROBE}?all_projects=${yes}`));
    },
  );

  it.each(['False', 'no', '0', 'maybe', ''])('is for one when it is %s', async (no) => {
    for (const answer of [await admin({ 'X-Auth-All-Projects': no }), await admin({}, `?all_projects=${no}`)])
      expect(callerOf(answer)).toMatchObject({ allTenants: false });
    expectStatus(await service.as('tenant-a').call('get', PROBE).set('X-Auth-All-Projects', no), 200);
  });

  it.each([
    ['X-Designate-Edit-Managed-Records', 'editsManaged'],
    ['X-Designate-Hard-Delete', 'deletesHard'],
  ])('may send %s as an admin only', async (name, wish) => {
    expect(callerOf(await admin({ [name]: 'true' }))[wish]).toBe(true);
    expect(callerOf(await admin({ [name]: 'false' }))[wish]).toBe(false);
    expectForbidden(await service.as('tenant-a').call('get', PROBE).set(name, 'true'));
  });

  it('may send edit_managed_records in the query, and X-Designate-Delete-Shares without being an admin', async () => {
    expect(callerOf(await admin({}, '?edit_managed_records=True'))).toMatchObject({ editsManaged: true });
    const own = await service.as('tenant-a').call('get', PROBE).set('X-Designate-Delete-Shares', 'True');
    expect(callerOf(own)).toMatchObject({ deletesShares: true });
  });

  it('get 403 without a role, as a writing reader, and for admin operations', async () => {
    expectForbidden(await service.as('tenant-a', '').call('get', PROBE));
    expectForbidden(await service.as('tenant-a', 'reader').call('delete', PROBE));
    expectStatus(await service.as('tenant-a', 'reader').call('get', PROBE), 200);
    expectForbidden(await service.as('tenant-a').call('get', '/v2/probes/secret'));
    expectStatus(await service.as('tenant-a', 'admin').call('get', '/v2/probes/secret'), 200);
  });

  it('is 401 in version 1 for the same', async () => {
    const answer = await service.as('tenant-a').call('get', '/v1/domains').set('X-Auth-All-Projects', 'true');
    expectStatus(answer, 401);
    expect(answer.body).toMatchObject({ type: 'access_denied' });
  });
});

describe('3.6 a token', () => {
  let service: TestService;
  beforeAll(async () => {
    const settings = { SERVICE_API__AUTH_STRATEGY: 'token', AUTH__ADMIN_TOKEN: ADMIN_TOKEN };
    service = await startTestService(settings, undefined, [PROBES]);
  });
  afterAll(() => service.stop());

  it('that is configured opens version 2', async () => {
    expectStatus(await service.plain('get', PROBE).set('X-Auth-Token', ADMIN_TOKEN), 200);
  });

  it("that is missing or wrong is 401, in the form that keystoneauth reads, and in the service's own", async () => {
    for (const request of [service.plain('get', PROBE), service.plain('get', PROBE).set('X-Auth-Token', 'wrong')]) {
      const answer = await request;
      expectStatus(answer, 401);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
      const message = expect.stringMatching(/^Send a valid token/);
      expect(answer.body).toMatchObject({
        code: 401,
        type: 'access_denied',
        message,
        error: { code: 401, title: 'Unauthorized', message },
      });
    }
  });

  it('need no tenant for missing paths', async () => {
    expectStatus(await service.plain('get', '/v2/nothing'), 404);
  });
});
