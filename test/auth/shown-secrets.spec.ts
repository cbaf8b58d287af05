import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf } from '../support/answers.js';
import { AUDIT_ON } from '../support/audit-entries.js';
import { DNSSEC_ON } from '../support/dnssec-on.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import type { Settings } from '../support/service.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';
import { WEBHOOKS_ON } from '../support/webhook-receiver.js';

const SETTINGS: Settings = {
  ...WEBHOOKS_ON,
  ...AUDIT_ON,
  ...DNSSEC_ON,
  SERVICE_MDNS__ENABLED: 'True',
  SERVICE_MDNS__LISTEN: '127.0.0.1:0',
  SERVICE_MDNS__UPDATES: 'True',
  SERVICE_CENTRAL__NAME_SERVERS: 'ns1.provider.example.',
  SERVICE_POWERDNS__ENABLED: 'True',
};
const TARGET = 'https://hooks.example.org/services/T0C7/q8Zr5kP1?signature=v7Nw2';

/** The callers. All but the last two belong to the owner tenant. */
const ROLES = {
  member: { roles: ['member'] },
  'member of one network': { roles: ['member'], restrictions: { networks: ['127.0.0.0/8'] } },
  reader: { roles: ['reader'] },
  'reader of one network': { roles: ['reader'], restrictions: { networks: ['127.0.0.0/8'] } },
  'scoped token for certificates': {
    roles: ['member'],
    restrictions: { names: ['_acme-challenge.*'], types: ['TXT'], actions: ['create', 'delete'] as const },
  },
  'scoped token of a reader': { roles: ['reader'], restrictions: { types: ['A'] } },
  admin: { tenantId: 'operator', roles: ['admin'] },
  'member of another tenant': { tenantId: 'other', roles: ['member'] },
  'reader of another tenant': { tenantId: 'other', roles: ['reader'] },
} as const;
type Role = keyof typeof ROLES;

/** Values that grant access, each unique in the responses. */
type Secret =
  | 'key of a transfer request'
  | 'key of an accepted request'
  | 'path of a webhook'
  | 'query of a webhook'
  | 'secret of a webhook'
  | 'secret of an update key'
  | 'secret of a TSIG key'
  | 'token';

interface Resource {
  readonly path: (made: Made) => string;
  /** The roles that see each secret; other roles see none. */
  readonly shows: Partial<Record<Secret, readonly Role[]>>;
}

const WRITERS: readonly Role[] = ['member', 'member of one network'];

const RESOURCES: Readonly<Record<string, Resource>> = {
  'transfer request': {
    path: ({ offerId }) => `/v2/zones/tasks/transfer_requests/${offerId}`,
    shows: { 'key of a transfer request': WRITERS },
  },
  'transfer requests': {
    path: () => '/v2/zones/tasks/transfer_requests',
    shows: {
      'key of a transfer request': WRITERS,
      'key of an accepted request': ['member of another tenant'],
    },
  },
  'transfer accept': { path: ({ acceptId }) => `/v2/zones/tasks/transfer_accepts/${acceptId}`, shows: {} },
  'transfer accepts': { path: () => '/v2/zones/tasks/transfer_accepts', shows: {} },
  webhook: {
    path: ({ webhookId }) => `/v1/webhooks/${webhookId}`,
    shows: { 'path of a webhook': WRITERS, 'query of a webhook': WRITERS },
  },
  webhooks: {
    path: () => '/v1/webhooks',
    shows: { 'path of a webhook': WRITERS, 'query of a webhook': WRITERS },
  },
  'webhook deliveries': { path: ({ webhookId }) => `/v1/webhooks/${webhookId}/deliveries`, shows: {} },
  'update keys': { path: () => '/v1/update-keys', shows: {} },
  tokens: { path: () => '/v1/tokens', shows: {} },
  'own access': { path: () => '/v1/whoami', shows: {} },
  session: { path: () => '/console/session', shows: {} },
  'zone shares': { path: ({ zone }) => `/v2/zones/${zone.id}/shares`, shows: {} },
  'TSIG keys': { path: () => '/v2/tsigkeys', shows: { 'secret of a TSIG key': ['admin'] } },
  'TSIG key': {
    path: ({ tsigKeyId }) => `/v2/tsigkeys/${tsigKeyId}`,
    shows: { 'secret of a TSIG key': ['admin'] },
  },
  pools: { path: () => '/v2/pools', shows: {} },
  audit: { path: () => '/admin/audit', shows: {} },
  'audit as lines': { path: () => '/admin/audit?format=jsonl', shows: {} },
  history: { path: ({ zone }) => `/v1/domains/${zone.id}/history`, shows: {} },
  'history by name': { path: ({ zone }) => `/v1/history?domain=${zone.name}`, shows: {} },
  changes: { path: ({ zone }) => `/v1/domains/${zone.id}/changes`, shows: {} },
  'signed domain': { path: ({ zone }) => `/v1/domains/${zone.id}/dnssec`, shows: {} },
  export: { path: ({ zone }) => `/v1/domains/${zone.id}/export`, shows: {} },
  'PowerDNS zone': { path: ({ zone }) => `/api/v1/servers/localhost/zones/${zone.name}`, shows: {} },
  'PowerDNS metadata': { path: ({ zone }) => `/api/v1/servers/localhost/zones/${zone.name}/metadata`, shows: {} },
  'PowerDNS keys': { path: ({ zone }) => `/api/v1/servers/localhost/zones/${zone.name}/cryptokeys`, shows: {} },
  'PowerDNS TSIG keys': { path: () => '/api/v1/servers/localhost/tsigkeys', shows: {} },
  'PowerDNS configuration': { path: () => '/api/v1/servers/localhost/config', shows: {} },
  'PowerDNS search': { path: () => '/api/v1/servers/localhost/search-data?q=*', shows: {} },
};

interface Made {
  readonly zone: TestDomain;
  readonly offerId: string;
  readonly acceptId: string;
  readonly webhookId: string;
  readonly tsigKeyId: string;
  readonly secrets: Readonly<Record<Secret, readonly string[]>>;
}

let service: TokenService;
let callers: Readonly<Record<Role, TokenClient>>;
let made: Made;
beforeAll(async () => {
  service = await startTokenService(SETTINGS);
  const tokens = Object.entries(ROLES).map(async ([role, request]) => [role, await service.newToken(request)] as const);
  callers = Object.fromEntries(await Promise.all(tokens)) as Record<Role, TokenClient>;
  made = await makeSecrets();
});
afterAll(() => service.stop());

async function makeSecrets(): Promise<Made> {
  const { member, admin, 'member of another tenant': other } = callers;
  const [zone, handedOn] = [await newDomain(member), await newDomain(other)];
  const offer = await newOffer(member, zone);
  const taken = await newOffer(other, handedOn);
  const body = { zone_transfer_request_id: taken.id, key: taken.key };
  const accept = await bodyOf<{ id: string }>(member.call('post', '/v2/zones/tasks/transfer_accepts', body), 201);
  const webhook = await bodyOf<{ id: string; secret: string }>(member.call('post', '/v1/webhooks', { url: TARGET }));
  const updateKey = await bodyOf<{ secret: string }>(member.call('post', '/v1/update-keys', { name: 'dhcp.example.' }));
  const share = { target_project_id: 'guest' };
  await answerOf(member.call('post', `/v2/zones/${zone.id}/shares`, share), 201);
  await answerOf(member.call('put', `/v1/domains/${zone.id}/dnssec`, { enabled: true }));
  const secret = Buffer.from('a TSIG secret of this test').toString('base64');
  const { pools } = await bodyOf<{ pools: { id: string }[] }>(admin.call('get', '/v2/pools'));
  const tsig = { name: 'pool.example.', algorithm: 'hmac-sha256', secret, scope: 'POOL', resource_id: pools[0]?.id };
  const tsigKey = await bodyOf<{ id: string }>(admin.call('post', '/v2/tsigkeys', tsig), 201);
  return {
    ...{ zone, offerId: offer.id, acceptId: accept.id, webhookId: webhook.id, tsigKeyId: tsigKey.id },
    secrets: {
      'key of a transfer request': [offer.key],
      'key of an accepted request': [taken.key],
      'path of a webhook': ['q8Zr5kP1'],
      'query of a webhook': ['v7Nw2'],
      'secret of a webhook': [webhook.secret, webhook.secret.replace('whsec_', '')],
      'secret of an update key': [updateKey.secret],
      'secret of a TSIG key': [secret],
      token: Object.values(callers).map(({ token }) => token),
    },
  };
}

function newOffer(client: TokenClient, { id }: TestDomain): Promise<{ id: string; key: string }> {
  return bodyOf(client.call('post', `/v2/zones/${id}/tasks/transfer_requests`), 201);
}

function read({ token }: TokenClient, path: string) {
  const header = path.startsWith('/api/') ? 'X-API-Key' : 'X-Auth-Token';
  return service.plain('get', path).set(header, token);
}

/** Secrets that a response contains, with any status. */
async function secretsIn(client: TokenClient, path: string): Promise<Secret[]> {
  const { status, text, headers } = await read(client, path);
  expect(status).toBeLessThan(500);
  const answer = `${text}${JSON.stringify(headers)}`;
  expect(answer).not.toMatch(/private.?key/i);
  const entries = Object.entries(made.secrets) as [Secret, readonly string[]][];
  return entries.filter(([, values]) => values.some((value) => answer.includes(value))).map(([secret]) => secret);
}

describe.each(Object.entries(RESOURCES))('secrets in %s', (_, { path, shows }) => {
  it('3.9 are found in responses that may contain them', async () => {
    const { member, admin } = callers;
    const statuses = await Promise.all([member, admin].map(async (client) => (await read(client, path(made))).status));
    expect(statuses).toContain(200);
  });

  it.each(Object.keys(ROLES) as Role[])('3.9, 13.9, 19.8 are shown to a %s as the table has it', async (role) => {
    const expected = (Object.entries(shows) as [Secret, readonly Role[]][])
      .filter(([, roles]) => roles.includes(role))
      .map(([secret]) => secret);
    expect(await secretsIn(callers[role], path(made))).toEqual(expected);
  });
});

describe('secrets that are not shown', () => {
  it('3.9, 13.9 leave a reader all other fields of a transfer request', async () => {
    const path = `/v2/zones/tasks/transfer_requests/${made.offerId}`;
    const { key, ...rest } = await bodyOf<{ key: string }>(callers.member.call('get', path));
    expect(key).toMatch(/^[A-Z0-9]{8}$/);
    expect(await bodyOf(callers.reader.call('get', path))).toEqual(rest);
  });

  it('3.9, 19.8 leave a reader all other fields of a webhook, and where it leads', async () => {
    const path = `/v1/webhooks/${made.webhookId}`;
    const shown = await bodyOf<object>(callers.member.call('get', path));
    expect(shown).toMatchObject({ url: TARGET });
    expect(await bodyOf(callers.reader.call('get', path))).toEqual({ ...shown, url: 'https://hooks.example.org/…' });
  });

  it('3.9 are shown to an admin who acts as the tenant', async () => {
    const asAdmin = (path: string) => callers.admin.call('get', path).set('X-Auth-Sudo-Tenant-ID', 'acme');
    expect(await bodyOf(asAdmin(`/v1/webhooks/${made.webhookId}`))).toMatchObject({ url: TARGET });
    expect(await bodyOf(asAdmin(`/v2/zones/tasks/transfer_requests/${made.offerId}`))).toHaveProperty('key');
  });
});
