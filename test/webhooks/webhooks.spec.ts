import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf, expectRefusal, refusalOf, TIMESTAMP, UUID } from '../support/answers.js';
import { AUDIT_ON, auditPage } from '../support/audit-entries.js';
import { freshName, newDomain } from '../support/domain.js';
import type { Client } from '../support/service.js';
import { startTestService, type TestService } from '../support/service.js';
import { executeIn } from '../support/stored.js';
import { startTokenService } from '../support/token-service.js';
import { newWebhook, type WebhookBody, WEBHOOKS_ON } from '../support/webhook-receiver.js';

const ABSENT = '019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4';
const URL_OF = 'https://hooks.example.org/dns?key=k';

let service: TestService;
let acme: Client;
beforeAll(async () => {
  service = await startTestService({ ...WEBHOOKS_ON, ...AUDIT_ON, WEBHOOKS__MAX_WEBHOOKS: '5' });
  acme = service.as('acme');
});
afterAll(() => service.stop());

const listOf = async (client: Client): Promise<WebhookBody[]> =>
  (await bodyOf<{ webhooks: WebhookBody[] }>(client.call('get', '/v1/webhooks'))).webhooks;

describe('19.8 webhooks', () => {
  it('are there only with the extension', async () => {
    const without = await startTestService();
    await answerOf(without.call('get', '/v1/webhooks'), 404);
    await without.stop();
  });

  it('19.8 are made with all that is said, and show their secret once', async () => {
    const asked = {
      url: URL_OF,
      description: 'for a test',
      domains: ['Example.ORG.', ABSENT.toUpperCase()],
      actions: ['record.create', 'domain.delete'],
    };
    const { secret, warnings: _, ...shown } = await newWebhook(acme, asked);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(shown).toEqual({
      ...{ id: expect.stringMatching(UUID), tenant_id: 'acme', url: URL_OF, description: 'for a test', enabled: true },
      ...{ disabled_because: null, domains: ['example.org.', ABSENT], actions: ['record.create', 'domain.delete'] },
      ...{ former_secret_until: null, overflowed_at: null, created_at: expect.stringMatching(TIMESTAMP) },
      updated_at: null,
    });
    expect(await bodyOf(acme.call('get', `/v1/webhooks/${shown.id}`))).toEqual(shown);
    expect(await listOf(acme)).toEqual([shown]);
    await answerOf(acme.call('delete', `/v1/webhooks/${shown.id}`));
    expect(await listOf(acme)).toEqual([]);
  });

  it('19.8 warn of domains that the tenant does not have', async () => {
    const [own, foreign] = [await newDomain(acme), await newDomain(service.as('other'))];
    const named = [own.name.toUpperCase(), own.id, foreign.name, foreign.id, ABSENT, 'example.net.'];
    const made = await newWebhook(acme, { url: URL_OF, domains: named });
    const unknown = [foreign.name, foreign.id, ABSENT, 'example.net.'];
    expect(made.warnings).toHaveLength(unknown.length);
    unknown.forEach((name, at) => expect(made.warnings?.[at]).toContain(name));
    const path = `/v1/webhooks/${made.id}`;
    expect(await bodyOf(acme.call('get', path))).not.toHaveProperty('warnings');
    const changed = await bodyOf<WebhookBody>(acme.call('patch', path, { domains: [own.name, 'example.net.'] }));
    expect(changed.warnings).toEqual([expect.stringContaining('example.net.')]);
    const mended = await bodyOf<WebhookBody>(acme.call('patch', path, { domains: [own.id] }));
    expect(mended).not.toHaveProperty('warnings');
    await answerOf(acme.call('delete', path));
  });

  it('19.8 change in the given fields', async () => {
    const { secret: _, ...made } = await newWebhook(acme, { url: URL_OF, actions: ['record.create'] });
    const path = `/v1/webhooks/${made.id}`;
    const change = { enabled: false, actions: null, description: 'changed' };
    const changed = await bodyOf<WebhookBody>(acme.call('patch', path, change));
    expect(changed).toEqual({ ...made, ...change, updated_at: expect.stringMatching(TIMESTAMP) });
    const moved = await bodyOf<WebhookBody>(acme.call('patch', path, { url: 'https://hooks.example.net' }));
    expect(moved).toEqual({
      ...changed,
      url: 'https://hooks.example.net/',
      updated_at: expect.stringMatching(TIMESTAMP),
    });
    expect(await bodyOf(acme.call('get', path))).toEqual(moved);
    await answerOf(acme.call('delete', path));
  });

  it('19.9 are given another secret, which is shown once', async () => {
    const { id, secret } = await newWebhook(acme, { url: URL_OF });
    const rotated = await bodyOf<WebhookBody>(acme.call('post', `/v1/webhooks/${id}/rotate`));
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(secret);
    expect(Date.parse(`${rotated.former_secret_until}Z`)).toBeGreaterThan(Date.now());
    expect(JSON.stringify(await listOf(acme))).not.toContain('whsec_');
    await answerOf(acme.call('delete', `/v1/webhooks/${id}`));
  });

  it.each([
    [{}, 'url', 'required'],
    [{ url: 7 }, 'url', 'type'],
    [{ url: 'no url' }, 'url', 'format'],
    [{ url: `https://example.org/${'x'.repeat(2048)}` }, 'url', 'maxLength'],
    [{ url: 'https://é.example/ü', description: 'x'.repeat(161) }, 'description', 'maxLength'],
    [{ url: URL_OF, enabled: 'yes' }, 'enabled', 'type'],
    [{ url: URL_OF, enabled: null }, 'enabled', 'type'],
    [{ url: URL_OF, domains: [] }, 'domains', 'required'],
    [{ url: URL_OF, domains: ['no name'] }, 'domains', 'format'],
    [{ url: URL_OF, domains: Array.from({ length: 101 }, (_, n) => `d${n}.example.org.`) }, 'domains', 'maxLength'],
    [{ url: URL_OF, actions: ['record.made'] }, 'actions', 'enum'],
    [{ url: URL_OF, secret: 'whsec_mine' }, 'secret', 'additionalProperties'],
  ])('19.8 refuse %j', async (body, path, validator) => {
    expectRefusal(await acme.call('post', '/v1/webhooks', body), {
      ...{ status: 400, type: 'invalid_object' },
      faults: [{ path, validator: validator as never }],
    });
  });

  it('19.8 of other tenants are 404, except for an admin who asks for all tenants', async () => {
    const { id } = await newWebhook(acme, { url: URL_OF });
    const other = service.as('other');
    for (const [method, path] of [
      ['get', ''],
      ['patch', ''],
      ['delete', ''],
      ['post', '/rotate'],
      ['post', '/test'],
      ['get', '/deliveries'],
      ['post', '/deliveries/replay'],
      ['post', `/deliveries/${ABSENT}/replay`],
    ] as const) {
      const body = method === 'patch' ? { enabled: false } : undefined;
      await refusalOf(other.call(method, `/v1/webhooks/${id}${path}`, body), 404, 'webhook_not_found');
      await refusalOf(acme.call(method, `/v1/webhooks/${ABSENT}${path}`, body), 404, 'webhook_not_found');
    }
    await refusalOf(acme.call('post', `/v1/webhooks/${id}/deliveries/${ABSENT}/replay`), 404, 'delivery_not_found');
    expect(await listOf(other)).toEqual([]);
    const all = service.call('get', '/v1/webhooks').set('X-Auth-All-Projects', 'true');
    expect((await bodyOf<{ webhooks: WebhookBody[] }>(all)).webhooks.map((webhook) => webhook.id)).toContain(id);
    await answerOf(acme.call('delete', `/v1/webhooks/${id}`));
  });

  it('19.8 are listed in the order of creation, for any number of webhooks', async () => {
    const COUNT = 700;
    const ids = Array.from({ length: COUNT }, (_, at) => `01900000-0000-7000-8000-${String(at).padStart(12, '0')}`);
    // Of two tenants alternating, and stored in another order.
    const rows = ids.map(
      (id, at) => `('${id}', 'crowd-${at % 2}', ${1000 + at}, 'https://hooks.example.org/', 0, 'seed')`,
    );
    executeIn(
      service.databaseFile,
      `INSERT INTO webhooks (id, tenant_id, created_at, url, enabled, secret) VALUES ${rows.reverse().join(', ')}`,
    );
    const idsOf = async (client: Client): Promise<string[]> => (await listOf(client)).map(({ id }) => id);
    expect(await idsOf(service.as('crowd-1'))).toEqual(ids.filter((_, at) => at % 2 === 1));
    const ofAll = bodyOf<{ webhooks: WebhookBody[] }>(
      service.call('get', '/v1/webhooks').set('X-Auth-All-Projects', 'true'),
    );
    expect((await ofAll).webhooks.map(({ id }) => id).slice(0, COUNT)).toEqual(ids);
  });

  it('19.8 are shown to readers, who cannot change them', async () => {
    const reader = service.as('acme', 'reader');
    expect(await listOf(reader)).toEqual([]);
    await refusalOf(reader.call('post', '/v1/webhooks', { url: URL_OF }), 401, 'access_denied');
  });

  it('19.8 are as many as the operator allows', async () => {
    const tenant = service.as('crowded');
    const made = await Promise.all(
      Array.from({ length: 8 }, () => tenant.call('post', '/v1/webhooks', { url: URL_OF })),
    );
    expect(made.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 413, 413, 413]);
    expect(await listOf(tenant)).toHaveLength(5);
  });

  it('14.6 are in the audit, without a secret and without the path of their URL', async () => {
    const tenant = service.as('watched');
    const { id, secret } = await newWebhook(tenant, { url: URL_OF });
    await answerOf(tenant.call('patch', `/v1/webhooks/${id}`, { enabled: false }));
    await answerOf(tenant.call('post', `/v1/webhooks/${id}/rotate`));
    await answerOf(tenant.call('delete', `/v1/webhooks/${id}`));
    const { audit } = await auditPage(service, 'action=webhook&tenant_id=watched');
    expect(audit.map(({ action }) => action)).toEqual([
      ...['webhook.delete', 'webhook.rotate', 'webhook.update', 'webhook.create'],
    ]);
    expect(audit[3]).toMatchObject({
      subject: { id, name: 'https://hooks.example.org' },
      details: { url: 'https://hooks.example.org', enabled: true },
    });
    for (const hidden of [secret, 'whsec_', 'key=k']) expect(JSON.stringify(audit)).not.toContain(hidden);
  });

  it('14.2 are not for tokens that are limited to some work', async () => {
    const tokens = await startTokenService(WEBHOOKS_ON);
    try {
      const wide = await tokens.newToken();
      const { id } = await newWebhook(wide, { url: URL_OF });
      const scoped = await tokens.newToken({ restrictions: { domains: [freshName()] } });
      for (const [method, path] of [
        ['get', ''],
        ['get', `/${id}`],
        ['delete', `/${id}`],
        ['post', `/${id}/rotate`],
        ['get', `/${id}/deliveries`],
      ] as const)
        await refusalOf(scoped.call(method, `/v1/webhooks${path}`), 401, 'access_denied');
      await refusalOf(scoped.call('post', '/v1/webhooks', { url: URL_OF }), 401, 'access_denied');
    } finally {
      await tokens.stop();
    }
  });
});
