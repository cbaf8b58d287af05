import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf, refusalOf } from '../support/answers.js';
import { AUDIT_ON, type AuditPageBody } from '../support/audit-entries.js';
import { newDomain } from '../support/domain.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';

let service: TokenService;
let admin: TokenClient;

beforeAll(async () => {
  service = await startTokenService(AUDIT_ON);
  admin = service.holding(service.running.firstToken!);
});
afterAll(() => service.stop());

const page = (query: string): Promise<AuditPageBody> =>
  bodyOf<AuditPageBody>(admin.call('get', `/admin/audit?${query}`));

describe('the audit of tokens', () => {
  it('14.6 begins with the first token, which the service creates', async () => {
    const { audit } = await page('action=token.create&user=service');
    expect(audit).toMatchObject([
      {
        actor: { tenant_id: 'admin', token_id: null, user: 'service', address: null },
        tenant_id: 'admin',
        subject: { name: 'made at the first start' },
        details: { roles: ['admin'], expires_at: null, parent_id: null },
      },
    ]);
  });

  it('14.6 records who created or revoked each token, and the tokens revoked with it', async () => {
    const maker = await service.newToken({ description: 'maker' });
    const body = { types: ['TXT'], description: 'made' };
    const made = await bodyOf<{ id: string; token: string }>(maker.call('post', '/v1/tokens', body));
    const second = await bodyOf<{ id: string; token: string }>(
      service.holding(made.token).call('post', '/v1/tokens', {}),
    );
    await refusalOf(service.holding(made.token).call('post', '/v1/tokens', { types: ['A'] }), 401, 'access_denied');
    await answerOf(maker.call('delete', `/v1/tokens/${made.id}`));
    const { audit } = await page(`token_id=${maker.id}`);
    expect(audit.map(({ action, subject }) => [action, subject?.id])).toEqual(
      expect.arrayContaining([
        ['token.create', made.id],
        ['token.revoke', made.id],
        ['token.revoke', second.id],
      ]),
    );
    expect(audit).toHaveLength(3);
    expect(audit[2]).toMatchObject({
      actor: { tenant_id: 'acme', token_id: maker.id, token_description: 'maker', address: '127.0.0.1' },
      tenant_id: 'acme',
      subject: { id: made.id, name: 'made' },
      details: { roles: ['member'], types: ['TXT'], parent_id: maker.id },
    });
    const { audit: byOperator } = await page('user=operator');
    expect(byOperator.map(({ subject }) => subject?.id)).toContain(maker.id);
  });

  it('14.6 names the token of a record change, also after its revocation, and contains no token', async () => {
    const client = await service.newToken({ description: 'deploy' });
    const domain = await newDomain(client);
    await domain.newRecord();
    await answerOf(client.call('delete', `/v1/tokens/${client.id}`));
    const { audit } = await page(`token_id=${client.id}`);
    expect(audit.map(({ action }) => action)).toEqual(['token.revoke', 'record.create', 'domain.create']);
    expect(audit.map(({ actor }) => actor.token_description)).toEqual(['deploy', 'deploy', 'deploy']);
    const { text } = await answerOf(admin.call('get', '/admin/audit?format=jsonl'));
    for (const token of [client.token, admin.token]) expect(text).not.toContain(token);
    expect(text).not.toMatch(/zw_/);
  });

  it('14.6 is not for a token that is limited to anything', async () => {
    const limited = await bodyOf<{ token: string }>(admin.call('post', '/v1/tokens', { domains: ['example.org.'] }));
    await refusalOf(service.plain('get', '/admin/audit'), 401, 'access_denied');
    await refusalOf(service.holding(limited.token).call('get', '/admin/audit'), 401, 'access_denied');
  });
});
