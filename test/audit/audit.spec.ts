import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { answerOf, bodyOf, expectRefusal, refusalOf, REQUEST_ID, TIMESTAMP, UUID } from '../support/answers.js';
import { AUDIT_ON, type AuditBody, auditPage, auditPages, readLines } from '../support/audit-entries.js';
import { audit } from '../support/audit.js';
import type { HistoryBody } from '../support/bodies.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { seedRecords } from '../support/seed.js';
import { type Client, startTestService, type TestService } from '../support/service.js';
import { times } from '../support/length.js';

const PLACE = /^\d+\.[0-9a-f-]{36}\.\d+$/;
const LOOPBACK = '127.0.0.1';

let service: TestService;
let member: Client;

beforeAll(async () => {
  service = await startTestService(AUDIT_ON);
  member = service.as('acme');
});
afterAll(async () => {
  audit(service.databaseFile);
  await service.stop();
});

const lines = async (query = ''): Promise<AuditBody[]> =>
  readLines((await answerOf(service.call('get', `/admin/audit?format=jsonl&${query}`))).text);
const actionsIn = async (query: string): Promise<string[]> => (await lines(query)).map(({ action }) => action);
/** Audit entries during the work, latest first. */
async function during(work: () => Promise<unknown>): Promise<AuditBody[]> {
  const [before] = await lines('limit=1');
  await work();
  const all = await lines();
  return all.slice(0, before === undefined ? all.length : all.findIndex(({ id }) => id === before.id));
}

describe('the audit', () => {
  it('14.6 records actor, action, target, time and address for domains and records', async () => {
    let domain: TestDomain;
    const entries = await during(async () => {
      domain = await newDomain(member);
      const { id } = await domain.newRecord({ type: 'TXT', data: '"a"' });
      await answerOf(domain.update(id, { data: '"b"' }));
      await answerOf(domain.delete(id));
    });
    const { history } = await bodyOf<HistoryBody>(member.call('get', `/v1/domains/${domain!.id}/history`));
    expect(entries.map(({ action }) => action)).toEqual([
      'record.delete',
      'record.update',
      'record.create',
      'domain.create',
    ]);
    expect(entries[1]).toEqual({
      id: expect.stringMatching(PLACE),
      at: expect.stringMatching(TIMESTAMP),
      action: 'record.update',
      actor: { tenant_id: 'acme', token_id: null, token_description: null, user: null, address: LOOPBACK },
      request_id: expect.stringMatching(REQUEST_ID),
      tenant_id: 'acme',
      domain: { id: domain!.id, name: domain!.name },
      record: { id: history[1]!.before!.id, name: domain!.at('www'), type: 'TXT' },
      subject: null,
      change: { id: history[1]!.change_id, serial: history[1]!.serial, number: 3 },
      details: null,
    });
    expect(entries.map(({ request_id }) => request_id)).toEqual(history.map(({ request_id }) => request_id));
    expect(entries[3]).toMatchObject({ record: null, domain: { id: domain!.id, name: domain!.name } });
  });

  it('14.6 keeps the owner and the name of a deleted domain', async () => {
    const domain = await newDomain(member);
    const entries = await during(() =>
      answerOf(service.call('delete', `/v1/domains/${domain.id}`).set('X-Auth-All-Projects', 'true')),
    );
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({
      action: 'domain.delete',
      actor: { tenant_id: 'tenant-a' },
      tenant_id: 'acme',
      domain: { id: domain.id, name: domain.name },
    });
    expect(await actionsIn(`domain=${domain.name.toUpperCase()}`)).toEqual(['domain.delete', 'domain.create']);
    expect(await actionsIn(`domain_id=${domain.id.toUpperCase()}`)).toEqual(['domain.delete', 'domain.create']);
  });

  it('14.6 records that another tenant took a name as soon as it was free (attack case 46)', async () => {
    const { id, name } = await newDomain(member);
    const other = service.as('other');
    const entries = await during(async () => {
      await answerOf(member.call('delete', `/v1/domains/${id}`));
      await newDomain(other, name);
    });
    expect(entries.map(({ action, tenant_id, domain }) => [action, tenant_id, domain?.name])).toEqual([
      ['domain.create', 'other', name],
      ['domain.delete', 'acme', name],
    ]);
    // The earlier history stays with the earlier owner.
    expect((await bodyOf<HistoryBody>(other.call('get', `/v1/history?domain=${name}`))).history).toHaveLength(1);
  });

  it('14.6 records the new quotas of a tenant, through each interface', async () => {
    const entries = await during(async () => {
      await answerOf(service.call('patch', '/admin/quotas/acme', { quota: { zones: 7, zone_records: 70 } }));
      await answerOf(service.call('patch', '/v2/quotas/acme', { zones: 8 }).set('X-Auth-All-Projects', 'true'));
      await answerOf(service.call('delete', '/v2/quotas/acme'), 204);
      await refusalOf(service.call('patch', '/admin/quotas/acme', { quota: { zones: -5 } }), 400, 'invalid_object');
    });
    const about = { tenant_id: 'acme', domain: null, record: null, subject: { id: 'acme', name: null }, change: null };
    expect(entries).toMatchObject([
      { action: 'quota.reset', ...about, details: null },
      { action: 'quota.update', ...about, details: { zones: 8 } },
      { action: 'quota.update', ...about, details: { zones: 7, zone_records: 70 } },
    ]);
    expect(entries[0]!.actor).toMatchObject({ tenant_id: 'tenant-a', token_id: null, user: null, address: LOOPBACK });
  });

  it('14.6 records shares and zone transfers, without the key', async () => {
    const domain = await newDomain(member);
    let key = '';
    const entries = await during(async () => {
      const share = await bodyOf(member.call('post', `/v2/zones/${domain.id}/shares`, { target_project_id: 'b' }), 201);
      await answerOf(member.call('delete', `/v2/zones/${domain.id}/shares/${share.id}`), 204);
      const path = '/v2/zones/tasks/transfer_requests';
      const offered = await bodyOf<{ id: string; key: string }>(
        member.call('post', `/v2/zones/${domain.id}/tasks/transfer_requests`, {}),
        201,
      );
      key = offered.key;
      await answerOf(member.call('patch', `${path}/${offered.id}`, { target_project_id: 'b' }));
      const accept = { zone_transfer_request_id: offered.id, key };
      await answerOf(service.as('b').call('post', '/v2/zones/tasks/transfer_accepts', accept), 201);
      await answerOf(member.call('delete', `${path}/${offered.id}`), 204);
    });
    expect(entries.map(({ action, actor }) => `${actor.tenant_id} ${action}`).sort()).toEqual([
      'acme share.create',
      'acme share.delete',
      'acme transfer_request.create',
      'acme transfer_request.delete',
      'acme transfer_request.update',
      'b domain.transfer',
      'b transfer_request.accept',
    ]);
    for (const { domain: concerned } of entries) expect(concerned).toEqual({ id: domain.id, name: domain.name });
    const share = entries.find(({ action }) => action === 'share.create');
    expect(share).toMatchObject({ tenant_id: 'acme', details: { target_project_id: 'b' } });
    expect(key).toHaveLength(8);
    expect(JSON.stringify(entries)).not.toContain(key);
  });

  it.each([
    ['tlds', 'tld', { name: 'audited' }, { description: 'changed' }, 'audited'],
    ['blacklists', 'blacklist', { pattern: '^audited' }, { description: 'changed' }, '^audited'],
    [
      'pools',
      'pool',
      { name: 'audited', ns_records: [{ hostname: 'ns.example.org.', priority: 1 }] },
      { description: 'changed' },
      'audited',
    ],
    [
      'tsigkeys',
      'tsig_key',
      {
        name: 'audited',
        algorithm: 'hmac-sha256',
        secret: 'c2VjcmV0IG9mIHRoZSBhdWRpdA==',
        scope: 'POOL',
        resource_id: '019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4',
      },
      { secret: 'YW5vdGhlciBzZWNyZXQgb2YgaXQ=' },
      'audited',
    ],
  ])('14.6 records %s by an admin after completion, without secrets', async (path, kind, body, change, name) => {
    let id = '';
    const entries = await during(async () => {
      id = (await bodyOf(service.call('post', `/v2/${path}`, body), 201)).id;
      expect((await service.call('post', `/v2/${path}`, body)).status).toBe(409);
      expect((await service.call('patch', `/v2/${path}/${id}`, change)).status).toBeLessThan(300);
      await answerOf(service.call('delete', `/v2/${path}/${id}`), 204);
      expect((await service.call('delete', `/v2/${path}/${id}`)).status).toBe(404);
    });
    const subject = { id, name };
    const told = { ...change, ...('secret' in change && { secret: '***' }) };
    expect(entries).toMatchObject([
      { action: `${kind}.delete`, subject, details: null, tenant_id: null },
      { action: `${kind}.update`, subject, details: told },
      { action: `${kind}.create`, subject, details: { ...body, ...('secret' in body && { secret: '***' }) } },
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/c2VjcmV0|YW5vdGhl/);
  });
});

describe('the list of the audit', () => {
  let domain: TestDomain;
  let all: AuditBody[];
  beforeAll(async () => {
    domain = await newDomain(service.as('beta'));
    // More than a search looks at together.
    seedRecords(service.databaseFile, domain.id, 4500);
    await answerOf(service.call('patch', '/admin/quotas/beta', { quota: { zones: 3 } }));
    await domain.newRecord({ name: domain.at('last'), type: 'AAAA', data: '2001:db8::1' });
    all = await lines();
  });

  it('14.6 is in pages that have each entry once, latest first', async () => {
    expect(all.length).toBeGreaterThan(4500);
    const pages = await auditPages(service, 'limit=1000');
    expect(pages.flat()).toEqual(all);
    expect(pages.slice(0, -1).every((page) => page.length === 1000)).toBe(true);
    expect([...all].sort((a, b) => (a.at < b.at ? 1 : -1)).map(({ at }) => at)).toEqual(all.map(({ at }) => at));
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    const { audit: first, links } = await auditPage(service, 'action=record');
    expect(first).toHaveLength(100);
    expect(links.self).toBe(`${service.url}/admin/audit?action=record`);
  });

  const FILTERS: readonly [query: () => string, isFound: (entry: AuditBody) => boolean][] = [
    [() => 'tenant_id=beta', ({ actor, tenant_id }) => [actor.tenant_id, tenant_id].includes('beta')],
    [() => `domain_id=${domain.id}`, (entry) => entry.domain?.id === domain.id],
    [() => `domain=${domain.name}`, (entry) => entry.domain?.id === domain.id],
    [() => 'action=quota', ({ action }) => action.startsWith('quota.')],
    [() => 'action=domain.create', ({ action }) => action === 'domain.create'],
    [() => 'action=domain', ({ action }) => action.startsWith('domain.')],
    [() => `address=${LOOPBACK}`, ({ actor }) => actor.address === LOOPBACK],
    [() => 'action=token', () => false],
    [() => 'user=operator', () => false],
    [() => 'token_id=019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4', () => false],
    [() => `since=${all[2]!.at}`, ({ at }) => at >= all[2]!.at],
    [() => `until=${all[2]!.at}&since=${all[1500]!.at}`, ({ at }) => at < all[2]!.at && at >= all[1500]!.at],
    [
      () => `tenant_id=beta&action=record.create&address=${LOOPBACK}`,
      ({ action, tenant_id, actor }) =>
        action === 'record.create' && tenant_id === 'beta' && actor.address === LOOPBACK,
    ],
  ];

  it('14.6 returns the matches of each filter, in pages and as lines', async () => {
    for (const [query, isFound] of FILTERS) {
      const expected = all.filter(isFound);
      expect(await lines(query())).toEqual(expected);
      expect((await auditPages(service, `${query()}&limit=700`)).flat()).toEqual(expected);
    }
  });

  it('14.6 continues after any entry', async () => {
    for (const at of [0, 100, all.length - 2, all.length - 1]) {
      const { audit: page } = await auditPage(service, `limit=3&marker=${all[at]!.id}`);
      expect(page).toEqual(all.slice(at + 1, at + 4));
    }
    expect((await auditPage(service, `marker=${all[5]!.id}&until=${all[50]!.at}&limit=1`)).audit).toEqual([all[51]]);
  });

  it('14.6 is JSON lines where the client asks for them, in the query or by Accept', async () => {
    const ask = (accept: string, query = '') =>
      service.call('get', `/admin/audit?limit=2${query}`).set('Accept', accept);
    for (const request of [
      ask('application/jsonl'),
      ask('*/*', '&format=jsonl'),
      ask('application/json', '&format=jsonl'),
    ]) {
      const answer = await answerOf(request);
      expect(answer.headers['content-type']).toBe('application/jsonl; charset=utf-8');
      expect(readLines(answer.text)).toEqual(all.slice(0, 2));
    }
    for (const request of [ask('application/json'), ask('*/*'), ask('application/jsonl', '&format=json')])
      expect((await bodyOf<{ audit: AuditBody[] }>(request)).audit).toEqual(all.slice(0, 2));
    expectRefusal(await ask('text/html'), { status: 406, type: 'unsupported_accept' });
    expect(await lines('since=2100-01-01T00:00:00Z')).toEqual([]);
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['marker=1', 'marker'],
    ['marker=', 'marker'],
    ['marker=9999999999999999.019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4.1', 'marker'],
    [`marker=${'1'.repeat(5000)}`, 'marker'],
    [`tenant_id=${'x'.repeat(256)}`, 'tenant_id'],
    ['tenant_id=', 'tenant_id'],
    ['tenant_id=%00', 'tenant_id'],
    ['tenant_id[]=a', 'tenant_id[]'],
    ['token_id=1', 'token_id'],
    [`user=${'x'.repeat(256)}`, 'user'],
    ['user=a&user=b', 'user'],
    ['user=%00', 'user'],
    [`address=${'1'.repeat(65)}`, 'address'],
    ['domain_id=x', 'domain_id'],
    ['domain=example', 'domain'],
    [`domain=${'x.'.repeat(200)}`, 'domain'],
    ['action=zone.create', 'action'],
    ['action=toString', 'action'],
    ['since=yesterday', 'since'],
    ['until=2026-02-30T00:00:00Z', 'until'],
    ['format=csv', 'format'],
  ])('14.6 refuses %s', async (query, path) => {
    const { errors } = await refusalOf(service.call('get', `/admin/audit?${query}`), 400, 'invalid_object');
    expect(errors?.[0]?.path).toBe(path);
  });

  it('14.6 answers 200 or 400 to every query', async () => {
    const name = fc.constantFrom(
      'limit',
      'marker',
      'tenant_id',
      'token_id',
      'user',
      'address',
      'domain',
      'action',
      'since',
    );
    const anything = fc.array(fc.tuple(name, fc.string({ unit: 'binary', maxLength: 40 })), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(anything, async (pairs) => {
        const query = pairs.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&');
        expect([200, 400]).toContain((await service.call('get', `/admin/audit?${query}`)).status);
      }),
      { numRuns: times(20, 60) },
    );
  });

  it('14.6 is for admins alone, and there where the extension is enabled', async () => {
    for (const client of [member, service.as('acme', 'reader'), service.as('acme', 'member', 'reader')])
      for (const query of ['', '?format=jsonl', '?tenant_id=acme'])
        await refusalOf(client.call('get', `/admin/audit${query}`), 401, 'access_denied');
    expect((await service.call('post', '/admin/audit', {})).status).toBe(405);
    const without = await startTestService({ SERVICE_API__ENABLE_API_ADMIN: 'True' });
    expect((await without.call('get', '/admin/audit')).status).toBe(404);
    await without.stop();
  });
});

describe('audit entries', () => {
  it('14.6 keep their place; a UUID identifies the target', async () => {
    const [entry] = await lines('action=quota&limit=1');
    expect(entry!.id.split('.')[1]).toMatch(UUID);
    expect(await lines(`since=${entry!.at}&action=quota`)).toContainEqual(entry);
  });
});
