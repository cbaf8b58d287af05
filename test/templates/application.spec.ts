import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { answerOf, bodyOf, refusalOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import type { DomainBody, RecordBody } from '../support/bodies.js';
import { freshName, newDomain, domainOf, type TestDomain } from '../support/domain.js';
import { holdsFor, times } from '../support/length.js';
import type { TokenRequest } from '../../src/auth/tokens/tokens.service.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';

interface AppliedBody {
  readonly serial: number;
  readonly dry_run?: boolean;
  readonly changes: readonly { readonly action: string; readonly record: RecordBody }[];
  readonly conflicts: readonly {
    readonly name: string;
    readonly type: string;
    readonly template: readonly string[];
    readonly existing: readonly string[];
    readonly existing_count: number;
  }[];
  readonly diff?: readonly { readonly action: string }[];
}

interface ChangesBody {
  readonly changes: readonly { readonly serial: number; readonly message: string | null; readonly steps: number }[];
}

let service: TokenService;
let member: TokenClient;
let domain: TestDomain;
beforeAll(async () => {
  service = await startTokenService({ DEFAULT__QUOTA_ZONE_RECORDS: '150' });
  member = await service.newToken();
});
afterAll(() => service.stop());
afterEach(() => audit(service.databaseFile));
beforeEach(async () => {
  domain = await newDomain(member);
});

let made = 0;
async function newTemplate(records: readonly object[], by = member): Promise<string> {
  const name = `t${(made += 1)}`;
  await answerOf(by.call('post', '/v1/templates', { name, records }));
  return name;
}
const asked = (template: string, fields: object = {}, query = '', by = member) =>
  by.call('post', `/v1/domains/${domain.id}/template${query}`, { template, ...fields });
const apply = (template: string, fields: object = {}, query = ''): Promise<AppliedBody> =>
  bodyOf<AppliedBody>(asked(template, fields, query));
const linesOf = async (of = domain): Promise<string[]> =>
  (await of.records())
    .map(({ name, type, priority, data }) =>
      [
        name === of.name ? '@' : name.slice(0, -of.name.length),
        type,
        ...(priority === null ? [] : [priority]),
        data,
      ].join(' '),
    )
    .sort();
const changesOf = ({ id }: { readonly id: string }): Promise<ChangesBody> =>
  bodyOf<ChangesBody>(member.call('get', `/v1/domains/${id}/changes`));
const creation = (fields: object = {}) => ({ name: freshName(), email: 'hostmaster@example.org', ...fields });

describe('28.4 a domain that is created with a template', () => {
  it('28.4 has its records in the first change, with one serial', async () => {
    const template = await newTemplate([
      { name: '@', type: 'A', data: '192.0.2.1', ttl: 60 },
      { name: 'www', type: 'CNAME', data: '{zone}.' },
      { name: '_mta-sts.{zone}.', type: 'TXT', data: '"of {zone}, %{i} and {ZONE}"' },
      { name: '{zone}._report._dmarc', type: 'TXT', data: '"v=DMARC1"' },
      { name: '@', type: 'MX', data: 'mail.{zone}.', priority: 10 },
    ]);
    const answer = await answerOf(member.call('post', '/v1/domains', creation({ template })));
    const of = domainOf(member, answer.body as DomainBody);
    const bare = of.name.slice(0, -1);
    expect(await linesOf(of)).toEqual(
      [
        '@ A 192.0.2.1',
        `@ MX 10 mail.${of.name}`,
        `_mta-sts. TXT "of ${bare}, %{i} and {ZONE}"`,
        `${bare}._report._dmarc. TXT "v=DMARC1"`,
        `www. CNAME ${of.name}`,
      ].sort(),
    );
    expect((await of.records()).find(({ type }) => type === 'A')?.ttl).toBe(60);
    const { changes } = await changesOf(of);
    expect(changes.map(({ serial, message }) => [serial, message])).toEqual([[of.serial, `Template ${template}`]]);
    const got = await answerOf(member.call('get', `/v1/domains/${of.id}`));
    expect([got.headers.etag, got.body]).toEqual([answer.headers.etag, answer.body]);
  });

  it('28.4 is created once for a repeated request', async () => {
    const body = creation({ template: 'no-mail' });
    const send = () => member.call('post', '/v1/domains', body).set('Idempotency-Key', `key-${body.name}`);
    const [one, other] = [await bodyOf(send()), await bodyOf(send())];
    expect(other).toEqual(one);
  });

  it('28.4 is not created without the template, with a faulty record, or beyond a quota', async () => {
    const long = freshName();
    const tooLong = await newTemplate([{ name: Array<string>(120).fill('a').join('.'), type: 'A', data: '192.0.2.1' }]);
    const many = await newTemplate(
      Array.from({ length: 200 }, (_, at) => ({ name: `r${at}`, type: 'A', data: '192.0.2.1' })),
    );
    const requests: readonly (readonly [template: string, status: number, type: string, name?: string])[] = [
      ['nowhere', 400, 'invalid_object'],
      [tooLong, 400, 'invalid_object', `${'b'.repeat(20)}.${long}`],
      [many, 413, 'over_quota'],
    ];
    for (const [template, status, type, name = freshName()] of requests) {
      const { errors = [] } = await refusalOf(
        member.call('post', '/v1/domains', creation({ name, template })),
        status,
        type,
      );
      expect(errors.map(({ path }) => path)).toEqual(status === 400 ? ['template'] : []);
      const { domains } = await bodyOf<{ domains: object[] }>(member.call('get', `/v1/domains?name=${name}`));
      expect(domains).toEqual([]);
    }
    await refusalOf(domain.sendFile('', '?template=parked'), 400, 'invalid_object');
    const update = member.call('put', `/v1/domains/${domain.id}`, { template: 'parked' });
    await refusalOf(update, 400, 'invalid_object');
  });

  it('28.4 chooses the template of the tenant before that of all tenants, and that before the built-in one', async () => {
    const admin = await service.newToken({ roles: ['admin'], tenantId: 'operator' });
    const mine = await service.newToken({ tenantId: 'precedence' });
    const record = (data: string) => [{ name: '@', type: 'TXT', data }];
    const create = async (): Promise<string[]> =>
      linesOf(
        domainOf(mine, await bodyOf<DomainBody>(mine.call('post', '/v1/domains', creation({ template: 'fastmail' })))),
      );
    expect(await create()).toContain('@ MX 10 in1-smtp.messagingengine.com.');
    const shared = { name: 'fastmail', records: record('"all"'), for_all_tenants: true };
    const { id } = await bodyOf(admin.call('post', '/v1/templates', shared));
    expect(await create()).toEqual(['@ TXT "all"']);
    await answerOf(mine.call('post', '/v1/templates', { name: 'fastmail', records: record('"mine"') }));
    expect(await create()).toEqual(['@ TXT "mine"']);
    await answerOf(admin.call('delete', `/v1/templates/${id}`));
  });

  it('28.4 is created by the attribute "template" of version 2, but not as a secondary zone', async () => {
    const attributes = { template: 'no-mail', other: 'x' };
    const zone = await bodyOf<DomainBody & { attributes: object }>(
      member.call('post', '/v2/zones', creation({ attributes })),
      202,
    );
    expect(zone.attributes).toEqual(attributes);
    expect(await linesOf(domainOf(member, zone))).toContain('@ MX 0 .');
    await answerOf(member.call('patch', `/v2/zones/${zone.id}`, { attributes: { template: 'nowhere' } }), 202);
    const unknown = member.call('post', '/v2/zones', creation({ attributes: { template: 'nowhere' } }));
    expect((await answerOf(unknown, 400)).text).toContain('attributes.template');
    const secondary = { name: freshName(), type: 'SECONDARY', masters: ['192.0.2.53'], attributes };
    expect((await answerOf(member.call('post', '/v2/zones', secondary), 400)).text).toContain('attributes.template');
  });
});

describe('28.5 a template that is applied', () => {
  it('28.5 adds missing records in one change, shows the plan before, and changes nothing the second time', async () => {
    const before = (await domain.now()).serial;
    const plan = await apply('no-mail', {}, '?dry_run=true');
    expect([plan.dry_run, plan.diff?.map(({ action }) => action), plan.conflicts]).toEqual([
      true,
      ['create', 'create', 'create', 'create'],
      [],
    ]);
    expect([(await domain.now()).serial, await linesOf()]).toEqual([before, []]);
    const done = await apply('no-mail');
    expect([done.serial, done.changes.length]).toEqual([(await domain.now()).serial, 4]);
    expect(await linesOf()).toHaveLength(4);
    const [latest] = (await changesOf(domain)).changes;
    expect(latest).toMatchObject({ serial: done.serial, message: 'Template no-mail' });
    const again = await apply('no-mail');
    expect([again.serial, again.changes, again.conflicts]).toEqual([done.serial, [], []]);
  });

  it('28.5 leaves records alone that contradict it, and replaces them on demand', async () => {
    await domain.newRecord({ name: domain.name, type: 'MX', data: 'mx.old.example.', priority: 5 });
    await domain.newRecord({ name: domain.name, type: 'TXT', data: '"MS=ms1"' });
    await domain.newRecord({ name: domain.name, type: 'TXT', data: '"v=spf1 mx -all"' });
    await domain.newRecord({ name: domain.at('autodiscover'), type: 'A', data: '192.0.2.9' });
    const template = await newTemplate([
      { name: '@', type: 'MX', data: 'mx.{zone}.', priority: 10 },
      { name: '@', type: 'TXT', data: '"v=spf1 -all"' },
      { name: 'autodiscover', type: 'CNAME', data: 'autodiscover.example.net.' },
      { name: 'www', type: 'A', data: '192.0.2.1' },
    ]);
    const done = await apply(template);
    expect(done.changes.map(({ action, record }) => [action, record.type])).toEqual([['create', 'A']]);
    expect(
      done.conflicts.map(({ name, type, existing, existing_count }) => [name, type, existing_count, existing[0]]),
    ).toEqual([
      [domain.name, 'MX', 1, 'MX 5 mx.old.example.'],
      [domain.name, 'TXT', 1, 'TXT "v=spf1 mx -all"'],
      [domain.at('autodiscover'), 'CNAME', 1, 'A 192.0.2.9'],
    ]);
    const plan = await apply(template, { replace: true }, '?dry_run=true');
    expect(plan.conflicts).toHaveLength(3);
    await apply(template, { replace: true });
    expect(await linesOf()).toEqual(
      [
        `@ MX 10 mx.${domain.name}`,
        '@ TXT "MS=ms1"',
        '@ TXT "v=spf1 -all"',
        'autodiscover. CNAME autodiscover.example.net.',
        'www. A 192.0.2.1',
      ].sort(),
    );
  });

  it('28.5 obeys If-Match, Idempotency-Key, quotas and the rules of records', async () => {
    const tag = (await answerOf(member.call('get', `/v1/domains/${domain.id}`))).headers.etag as string;
    await domain.newRecord();
    await refusalOf(asked('no-mail').set('If-Match', tag), 412, 'precondition_failed');
    const send = () => asked('parked').set('Idempotency-Key', `key-${domain.id}`);
    const [one, other] = [await bodyOf(send()), await bodyOf(send())];
    expect(other).toEqual(one);
    expect(one).toHaveProperty('conflicts', []);
    const many = await newTemplate(
      Array.from({ length: 150 }, (_, at) => ({ name: `r${at}`, type: 'A', data: '192.0.2.1' })),
    );
    await refusalOf(asked(many), 413, 'over_quota');
    await newDomain(member, domain.at('child'));
    const below = await newTemplate([{ name: 'x.child', type: 'A', data: '192.0.2.1' }]);
    const { errors } = await refusalOf(asked(below), 400, 'invalid_recordset_location');
    expect(errors?.map(({ path }) => path)).toEqual(['template']);
  });

  it('28.5 is refused for unknown templates, foreign domains and faulty requests', async () => {
    for (const fields of [
      { template: 'nowhere' },
      { template: 1 },
      { replace: 'yes' },
      { template: 'x'.repeat(10_000) },
    ])
      await refusalOf(asked('parked', fields), 400, 'invalid_object');
    const stranger = await service.newToken({ tenantId: 'stranger' });
    await refusalOf(asked('parked', {}, '', stranger), 404, 'domain_not_found');
    const foreign = await newTemplate([{ name: '@', type: 'A', data: '192.0.2.1' }], stranger);
    await refusalOf(asked(foreign), 400, 'invalid_object');
    const reader = await service.newToken({ roles: ['reader'] });
    await refusalOf(asked('parked', {}, '', reader), 401, 'access_denied');
  });

  const LIMITS: readonly (readonly [string, NonNullable<TokenRequest['restrictions']>])[] = [
    ['types', { types: ['TXT', 'CAA'] }],
    ['names', { names: ['*._acme-challenge.example.org.'] }],
    ['actions', { actions: ['delete'] }],
  ];
  it.each(LIMITS)('28.5 writes nothing that the %s of a token forbid', async (_, limits) => {
    const limited = await service.newToken({ restrictions: limits });
    await refusalOf(asked('parked', {}, '', limited), 401, 'access_denied');
    await refusalOf(asked('parked', {}, '?dry_run=true', limited), 401, 'access_denied');
    expect(await linesOf()).toEqual([]);
    const create = limited.call('post', '/v1/templates', {
      name: 'limited',
      records: [{ name: '@', type: 'A', data: '192.0.2.1' }],
    });
    await refusalOf(create, 401, 'access_denied');
    const { templates } = await bodyOf<{ templates: object[] }>(limited.call('get', '/v1/templates'));
    expect(templates.length).toBeGreaterThan(5);
  });

  it('28.5 replaces nothing with a token that may only create', async () => {
    const limited = await service.newToken({ restrictions: { actions: ['create'] } });
    await domain.newRecord({ name: domain.name, type: 'MX', data: 'mx.old.example.', priority: 5 });
    await refusalOf(asked('no-mail', { replace: true }, '', limited), 401, 'access_denied');
    await answerOf(asked('no-mail', {}, '', limited));
    expect(await linesOf()).toHaveLength(4);
  });

  it('28.5 is written once by two applications at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => apply('parked')));
    expect(new Set(answers.map(({ serial }) => serial)).size).toBe(1);
    expect(answers.filter(({ changes }) => changes.length > 0)).toHaveLength(1);
    expect(await linesOf()).toHaveLength(6);
    const both = await Promise.all([
      apply('google-workspace', { replace: true }),
      apply('fastmail', { replace: true }),
    ]);
    expect(both.every(({ conflicts }) => conflicts.length > 0)).toBe(true);
    const mx = (await linesOf()).filter((line) => line.startsWith('@ MX'));
    expect([1, 2]).toContain(mx.length);
  });

  it('28.5 bounds the answer and the work of conflicts with many records', async () => {
    const template = await newTemplate([{ name: 'many', type: 'CNAME', data: '{zone}.' }]);
    const lines = Array.from({ length: 140 }, (_, at) => `many A 192.0.2.${at + 1}`);
    await domain.import(lines.join('\n'));
    const [conflict] = (await apply(template)).conflicts;
    expect([conflict?.existing_count, conflict?.existing.length]).toEqual([140, 5]);
    await apply(template, { replace: true });
    expect(await linesOf()).toEqual([`many. CNAME ${domain.name}`]);
  });
});

describe('26.1 addresses of a template', () => {
  it('26.1 have PTR records, in a new domain and in one that exists', async () => {
    const reverse = await newDomain(member, '100.51.198.in-addr.arpa.');
    const templates = [1, 2].map((n) => newTemplate([{ name: '@', type: 'A', data: `198.51.100.${n}` }]));
    const [template, other = ''] = await Promise.all(templates);
    const labels = { reverse: 'true' };
    const { name } = await bodyOf<DomainBody>(member.call('post', '/v1/domains', creation({ template, labels })));
    await answerOf(member.call('put', `/v1/domains/${domain.id}`, { labels }));
    const plan = await apply(other, {}, '?dry_run=true');
    expect(plan.diff?.map(({ action }) => action)).toEqual(['create']);
    await apply(other);
    expect(await linesOf(reverse)).toEqual([`1. PTR ${name}`, `2. PTR ${domain.name}`]);
  });
});

describe('28.1 the name of the zone', () => {
  const label = fc.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,20}[a-z0-9])?$/).filter((text) => text[2] !== '-');
  const part = fc.constantFrom('{zone}', '{zone}', 'a', '$&', '$1', '{', '}', '{ZONE}', '{zone', '%{i}', ' ');

  it('28.1 stands in all places, for any name, and nowhere else', async () => {
    await holdsFor(
      fc.tuple(
        fc.array(label, { minLength: 1, maxLength: 8 }),
        fc.array(part, { minLength: 1, maxLength: 8 }),
        fc.constantFrom('@', '{zone}.', 'a.{zone}.', '{zone}.b', 'b'),
      ),
      async ([labels, parts, name]) => {
        const zone = `${labels.join('.')}.${freshName()}`;
        const bare = zone.slice(0, -1);
        const text = parts.join('');
        const template = `p${(made += 1)}`;
        const records = [{ name, type: 'TXT', data: `"${text}"` }];
        const { id } = await bodyOf(member.call('post', '/v1/templates', { name: template, records }));
        const answer = await member.call('post', '/v1/domains', creation({ name: zone, template }));
        const owner = {
          '@': zone,
          '{zone}.': zone,
          'a.{zone}.': `a.${zone}`,
          '{zone}.b': `${bare}.b.${zone}`,
          b: `b.${zone}`,
        }[name];
        if (answer.status === 200) {
          const [record, ...others] = await domainOf(member, answer.body as DomainBody).records();
          expect([record?.name, others]).toEqual([owner, []]);
          expect(record?.data).toBe(`"${text.split('{zone}').join(bare)}"`);
        } else
          expect([answer.status, answer.text.includes('Template') || answer.text.includes('template')]).toEqual([
            400,
            true,
          ]);
        await answerOf(member.call('delete', `/v1/templates/${id}`));
      },
      { numRuns: times(40, 1000) },
    );
  });
});
