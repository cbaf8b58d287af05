import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Database } from '../support/sqlite.js';
import { TokensService } from '../../src/auth/tokens/tokens.service.js';
import { administrator } from '../../src/common/caller.js';
import { contentsOf } from '../support/audit.js';
import { expectRefusal, expectStatus } from '../support/answers.js';
import type { DomainBody, RecordBody } from '../support/bodies.js';
import { freshName } from '../support/domain.js';
import { sendRaw } from '../support/raw-http.js';
import { ADMIN_TOKEN, type Method, startTestService, type TestService } from '../support/service.js';

const OPERATOR = administrator('operator', 'cli');
const DENIED = { status: 401, type: 'access_denied', faults: [] };

describe('auth_strategy token', () => {
  let service: TestService;
  let tokens: TokensService;
  let first: string;
  let token: string;
  let domain: DomainBody;
  let record: RecordBody;
  beforeAll(async () => {
    service = await startTestService({ SERVICE_API__AUTH_STRATEGY: 'token' });
    tokens = service.running.application.app.get(TokensService, { strict: false });
    first = service.running.firstToken!;
    token = await tokenOf('acme', 'member');
    domain = (await post('/v1/domains', { name: freshName(), email: 'hostmaster@example.org' })).body;
    const www = { name: `www.${domain.name}`, type: 'A', data: '192.0.2.1' };
    record = (await post(`/v1/domains/${domain.id}/records`, www)).body;
    // The record has raised its serial.
    domain = (await list({ 'X-Auth-Token': token })).body.domains[0];
  });
  afterAll(() => service.stop());

  async function tokenOf(tenantId: string, ...roles: string[]): Promise<string> {
    return (await tokens.create({ tenantId, roles, description: null, expiresAt: null }, OPERATOR)).token;
  }
  const post = (path: string, body: object) => service.plain('post', path).set('X-Auth-Token', token).send(body);
  const list = (headers: Record<string, string>) => service.plain('get', '/v1/domains').set(headers);

  it.each([
    ['X-Auth-Token', (value: string) => ({ 'X-Auth-Token': value })],
    ['Authorization: Bearer', (value: string) => ({ Authorization: `Bearer ${value}` })],
    ['Authorization: bearer, whose scheme has no case', (value: string) => ({ Authorization: `bearer  ${value}` })],
  ])('3.5 takes a token in %s', async (_, headers) => {
    const answer = await list(headers(token));
    expectStatus(answer, 200);
    expect(answer.body.domains).toEqual([domain]);
  });

  it('3.5 accepts the first token as an admin', async () => {
    const headers = { 'X-Auth-Token': first, 'X-Auth-All-Projects': 'true' };
    expect((await list(headers)).body.domains).toEqual([domain]);
  });

  it('3.5 stores tokens hashed', async () => {
    const database = new Database(service.databaseFile, { readonly: true });
    const rows = JSON.stringify(database.prepare('SELECT * FROM tokens').all());
    database.close();
    for (const secret of [first, token]) expect(rows).not.toContain(secret.slice(0, 20));
    expect(rows).toContain('acme');
  });

  const WRONG: readonly [what: string, headers: (valid: string) => Record<string, string>][] = [
    ['no credential', () => ({})],
    ['an empty token', () => ({ 'X-Auth-Token': '' })],
    ['a token that was never made', () => ({ 'X-Auth-Token': `zw_${'A'.repeat(43)}` })],
    ['a token in another case', (valid) => ({ 'X-Auth-Token': valid.toUpperCase() })],
    ['a token cut short', (valid) => ({ 'X-Auth-Token': valid.slice(0, -1) })],
    ['a token with more behind it', (valid) => ({ 'X-Auth-Token': `${valid}x` })],
    ['two tokens in one header', (valid) => ({ 'X-Auth-Token': `${valid}, ${valid}` })],
    ['the prefix of all tokens', () => ({ 'X-Auth-Token': 'zw_' })],
    ['a wildcard', () => ({ 'X-Auth-Token': '%' })],
    ['an SQL string', () => ({ 'X-Auth-Token': "' OR '1'='1" })],
    ['a JWT with alg none', () => ({ Authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJyb2xlcyI6WyJhZG1pbiJdfQ.' })],
    ['a token of 8 kB', () => ({ 'X-Auth-Token': 'z'.repeat(8192) })],
    ['a bearer of 8 kB', () => ({ Authorization: `Bearer ${'z'.repeat(8192)}` })],
    ['Basic', (valid) => ({ Authorization: `Basic ${Buffer.from(`admin:${valid}`).toString('base64')}` })],
    ['another scheme', (valid) => ({ Authorization: `Token ${valid}` })],
    ['Bearer without a token', () => ({ Authorization: 'Bearer' })],
    ['Bearer with two tokens', (valid) => ({ Authorization: `Bearer ${valid} ${valid}` })],
    ['both headers, although they agree', (valid) => ({ 'X-Auth-Token': valid, Authorization: `Bearer ${valid}` })],
    ['a token in a cookie', (valid) => ({ Cookie: `token=${valid}; X-Auth-Token=${valid}` })],
    ['what noauth believes', () => ({ 'X-Auth-Project-ID': 'acme', 'X-Roles': 'admin' })],
    [
      'what a Keystone proxy says',
      () => ({ 'X-Identity-Status': 'Confirmed', 'X-Project-Id': 'acme', 'X-Roles': 'admin', 'X-User-Id': 'root' }),
    ],
  ];

  it.each(WRONG)('3.1 answers 401 to %s', async (_, headers) => {
    const answer = await list(headers(token));
    expectRefusal(answer, DENIED);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(answer.text).not.toContain(token.slice(0, 12));
  });

  it.each(['X-Auth-Token', 'Authorization'])('3.1 answers 401 to %s sent twice, even if one is valid', async (name) => {
    const scheme = name === 'Authorization' ? 'Bearer ' : '';
    for (const [one, other] of [
      [token, 'wrong'],
      ['wrong', token],
      [token, token],
    ]) {
      const headers = `${name}: ${scheme}${one!}\r\n${name}: ${scheme}${other!}`;
      const answer = await sendRaw(
        service.url,
        `GET /v1/domains HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers}\r\n\r\n`,
      );
      expect(answer.status).toBe(401);
    }
  });

  it('3.1 answers 401 to a token in the query', async () => {
    expectRefusal(await service.plain('get', `/v1/domains?token=${token}&X-Auth-Token=${token}`), DENIED);
  });

  it('3.5 ends a token when it expires', async () => {
    const expiresAt = (Date.now() + 300) * 1000;
    const short = await tokens.create({ tenantId: 'acme', roles: ['member'], description: null, expiresAt }, OPERATOR);
    expectStatus(await list({ 'X-Auth-Token': short.token }), 200);
    await new Promise((resolve) => setTimeout(resolve, 350));
    expectRefusal(await list({ 'X-Auth-Token': short.token }), DENIED);
  });

  it('3.5 rejects a token immediately after revocation, and no other token', async () => {
    const made = await tokens.create(
      { tenantId: 'acme', roles: ['member'], description: null, expiresAt: null },
      OPERATOR,
    );
    expectStatus(await list({ 'X-Auth-Token': made.token }), 200);
    expect(await tokens.revoke(made.id, OPERATOR)).toBe(true);
    expect(await tokens.revoke(made.id, OPERATOR)).toBe(false);
    expectRefusal(await list({ 'X-Auth-Token': made.token }), DENIED);
    expectStatus(await list({ 'X-Auth-Token': token }), 200);
  });

  it('3.1 answers the same to a token that never was, that expired and that was revoked', async () => {
    const made = await tokens.create(
      { tenantId: 'acme', roles: ['member'], description: null, expiresAt: null },
      OPERATOR,
    );
    await tokens.revoke(made.id, OPERATOR);
    const answers = [
      await list({}),
      await list({ 'X-Auth-Token': 'never' }),
      await list({ 'X-Auth-Token': made.token }),
    ];
    const bodies = answers.map(({ body }) => ({ ...body, request_id: '' }));
    expect(bodies[1]).toEqual(bodies[0]);
    expect(bodies[2]).toEqual(bodies[0]);
  });

  const OPERATIONS: readonly [method: Method, path: string, body?: object][] = [
    ['post', '/v1/domains', {}],
    ['get', '/v1/domains'],
    ['get', '/v1/domains/<domain_id>'],
    ['put', '/v1/domains/<domain_id>', {}],
    ['delete', '/v1/domains/<domain_id>'],
    ['get', '/v1/domains/<domain_id>/servers'],
    ['post', '/v1/domains/<domain_id>/records', {}],
    ['get', '/v1/domains/<domain_id>/records'],
    ['get', '/v1/domains/<domain_id>/records/<id>'],
    ['put', '/v1/domains/<domain_id>/records/<id>', {}],
    ['delete', '/v1/domains/<domain_id>/records/<id>'],
  ];

  it.each(OPERATIONS)(
    'interface §5: %s %s answers 401 without a credential, below both prefixes',
    async (...operation) => {
      const [method, path, body] = operation;
      const before = contentsOf(service.databaseFile);
      for (const target of [path, path.replace('/v1', '')]) {
        const filled = target.replace('<domain_id>', domain.id).replace('<id>', record.id);
        expectRefusal(await service.plain(method, filled).send(body), DENIED);
      }
      expect(contentsOf(service.databaseFile)).toEqual(before);
    },
  );

  it.each(['/', '/v1', '/openapi.json', '/openapi.yaml', '/docs'])(
    '1.2 answers %s without a credential',
    async (path) => {
      expectStatus(await service.plain('get', path), 200);
    },
  );

  it.each([
    ['tenant', { tenantId: '' }],
    ['tenant', { tenantId: ' ' }],
    ['tenant', { tenantId: 't'.repeat(256) }],
    ['tenant', { tenantId: 'a\0b' }],
    ['roles', { roles: [] }],
    ['roles', { roles: ['Admin'] }],
    ['roles', { roles: ['admin,member'] }],
    ['roles', { roles: ['readonly'] }],
    ['expires', { expiresAt: 1 }],
  ])('3.5 makes no token with a %s that cannot be', async (path, change) => {
    const request = { tenantId: 'acme', roles: ['member'], description: null, expiresAt: null, ...change };
    await expect(tokens.create(request, OPERATOR)).rejects.toMatchObject({
      code: 'invalid_object',
      errors: [{ path }],
    });
  });

  it('3.5 isolates tenants with any names', async () => {
    for (const tenant of ['ACME', 'acme ', 'ac me', 'grüße 👋', "' OR 1=1", '%', randomUUID()]) {
      const other = await tokenOf(tenant, 'member');
      expect((await list({ 'X-Auth-Token': other })).body).toEqual({ domains: [] });
    }
  });
});

describe('an admin token of the configuration', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ SERVICE_API__AUTH_STRATEGY: 'token', AUTH__ADMIN_TOKEN: ADMIN_TOKEN });
  });
  afterAll(() => service.stop());

  it('3.5 is valid, and no further first token is created', async () => {
    expect(service.running.firstToken).toBeNull();
    const headers = { 'X-Auth-Token': ADMIN_TOKEN, 'X-Auth-All-Projects': 'true' };
    expectStatus(await service.plain('get', '/v1/domains').set(headers), 200);
    expectRefusal(await service.plain('get', '/v1/domains').set('X-Auth-Token', `${ADMIN_TOKEN}x`), DENIED);
  });
});
