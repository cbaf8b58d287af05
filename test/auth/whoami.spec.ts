import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { formatInstant } from '../../src/common/clock.js';
import { UNRESTRICTED } from '../../src/common/caller.js';
import { bodyOf, expectRefusal } from '../support/answers.js';
import { OidcIssuer } from '../support/oidc-issuer.js';
import { type Client, startTestService, type TestService } from '../support/service.js';
import { startTokenService, type TokenService } from '../support/token-service.js';
import { TAKES_UPDATES } from '../support/updates.js';

interface WhoamiBody {
  readonly tenant_id: string | null;
  readonly user: string | null;
  readonly roles: readonly string[];
  readonly token: { readonly id: string; readonly description: string | null; readonly made_by: string | null } | null;
  readonly limits: object;
  readonly expires_at: string | null;
  readonly extensions: readonly string[];
  readonly admin_extensions: readonly string[];
  readonly service: object;
}

const PATH = '/v1/whoami';
const whoami = (client: Client): Promise<WhoamiBody> => bodyOf<WhoamiBody>(client.call('get', PATH));

describe('service token holders', () => {
  let service: TokenService;
  beforeAll(async () => {
    service = await startTokenService({
      SERVICE_API__ENABLED_EXTENSIONS_V1: 'webhooks',
      SERVICE_API__ENABLE_API_ADMIN: 'True',
      SERVICE_API__ENABLED_EXTENSIONS_ADMIN: 'quotas,audit',
      SERVICE_API__MAX_CHANGES: '70',
      SERVICE_API__EXPIRING_RECORDS: 'True',
      SERVICE_CENTRAL__MIN_TTL: '30',
      SERVICE_CENTRAL__NAME_SERVERS: 'ns1.example.net.,ns2.example.net.',
    });
  });
  afterAll(() => service.stop());

  it('3.7 see their tenant, roles, token and the features of the service', async () => {
    const member = await service.newToken({ description: 'deploy' });
    expect(await whoami(member)).toEqual({
      tenant_id: 'acme',
      user: null,
      roles: ['member'],
      token: { id: member.id, description: 'deploy', made_by: null },
      limits: UNRESTRICTED,
      expires_at: null,
      extensions: ['webhooks'],
      admin_extensions: [],
      service: {
        name_servers: ['ns1.example.net.', 'ns2.example.net.'],
        publishes: false,
        default_ttl: 3600,
        min_ttl: 30,
        max_changes: 70,
        max_body_size: 1_048_576,
        expiring_records: true,
        dns_updates: null,
        powerdns_api: false,
        external_dns: false,
        openstack_auth_url: null,
        docs: true,
      },
    });
  });

  it('3.7, 14.2 see the scope, expiry and parent of a scoped token', async () => {
    const member = await service.newToken();
    const expiresAt = '2100-01-01T00:00:00.000000';
    const asked = { names: ['_acme-challenge.*'], types: ['TXT'], actions: ['create'], expires_at: `${expiresAt}Z` };
    const made = await bodyOf<{ id: string; token: string }>(member.call('post', '/v1/tokens', asked));
    const scoped = await whoami(service.holding(made.token));
    expect(scoped).toMatchObject({
      tenant_id: 'acme',
      token: { id: made.id, description: null, made_by: member.id },
      limits: { domains: null, names: ['_acme-challenge.*'], types: ['TXT'], actions: ['create'], networks: null },
      expires_at: expiresAt,
    });
    expect(JSON.stringify(scoped)).not.toContain(made.token);
  });

  it('3.7, 3.2 an admin sees the acting tenant and the extensions of the admin API', async () => {
    const admin = await service.newToken({ tenantId: 'operators', roles: ['admin'] });
    const acting = await bodyOf<WhoamiBody>(admin.call('get', PATH).set('X-Auth-Sudo-Tenant-ID', 'acme'));
    expect(acting).toMatchObject({ tenant_id: 'acme', roles: ['admin'], admin_extensions: ['quotas', 'audit'] });
  });

  it('3.7, 3.3 readers may ask, callers without a credential may not', async () => {
    const reader = await service.newToken({ roles: ['reader'] });
    expect((await whoami(reader)).roles).toEqual(['reader']);
    expectRefusal(await service.plain('get', PATH), { status: 401, type: 'access_denied' });
  });

  it('3.7 rejects a revoked token', async () => {
    const member = await service.newToken();
    await bodyOf(member.call('get', PATH));
    await member.call('delete', `/v1/tokens/${member.id}`);
    expectRefusal(await member.call('get', PATH), { status: 401, type: 'access_denied' });
  });
});

describe('clients of other interfaces', () => {
  it('3.7 see the address of DNS UPDATE, and that the PowerDNS API is on', async () => {
    const service = await startTokenService({
      ...TAKES_UPDATES,
      SERVICE_POWERDNS__ENABLED: 'True',
      SERVICE_EXTERNAL_DNS__ENABLED: 'True',
    });
    try {
      const reader = await service.newToken({ roles: ['reader'] });
      expect((await whoami(reader)).service).toMatchObject({
        dns_updates: { address: '127.0.0.1', port: 0 },
        powerdns_api: true,
        external_dns: true,
        openstack_auth_url: null,
      });
    } finally {
      await service.stop();
    }
  });
});

describe('issuer users', () => {
  let issuer: OidcIssuer;
  let service: TestService;
  beforeAll(async () => {
    issuer = await OidcIssuer.start();
    service = await startTestService(issuer.settings);
  });
  afterAll(async () => {
    await service.stop();
    await issuer.stop();
  });

  const asking = (token: string): Client => ({
    call: (method, path) => service.plain(method, path).set('Authorization', `Bearer ${token}`),
  });

  it('3.7, 14.3 see when their token expires', async () => {
    const token = await issuer.tokenOf('demo');
    const { exp } = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as { exp: number };
    expect(await whoami(asking(token))).toMatchObject({
      tenant_id: 'demo',
      token: null,
      expires_at: formatInstant(exp * 1_000_000),
    });
  });

  it('3.7, 14.1 see no tenant where an admin has none', async () => {
    const operator = await whoami(asking(await issuer.tokenOf('operator')));
    expect(operator).toMatchObject({ tenant_id: null, roles: ['admin'] });
  });
});
