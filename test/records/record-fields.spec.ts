import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bodyOf, refusalOf } from '../support/answers.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { audit } from '../support/audit.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let domain: TestDomain;
let reverse: TestDomain;

beforeAll(async () => {
  service = await startTestService({ SERVICE_CENTRAL__MIN_TTL: '60' });
  domain = await newDomain(service);
  reverse = await newDomain(service, '2.0.192.in-addr.arpa.');
});
afterAll(() => service.stop());

let owners = 0;

/** An otherwise valid record at a separate name. */
function sound(fields: object = {}): Record<string, unknown> {
  return { name: domain.at(`n${String(++owners)}`), type: 'A', data: '192.0.2.1', ...fields };
}

const SOUND_DATA: Readonly<Record<string, string>> = { MX: 'mail.example.org.', SRV: '5 5060 sip.example.org.' };

function soundOf(type: string, fields: object = {}): Record<string, unknown> {
  const label = type === 'SRV' ? '_sip._tcp.' : '';
  return sound({ name: `${label}${domain.at(`n${String(++owners)}`)}`, type, data: SOUND_DATA[type], ...fields });
}

async function expectFault(record: unknown, path: string, validator: string, type = 'invalid_object'): Promise<string> {
  const { errors, message } = await refusalOf(domain.create(record), 400, type);
  expect(errors).toMatchObject([{ path, validator, message: expect.any(String) }]);
  return message;
}

describe('which fields', () => {
  it.each(['name', 'type', 'data'])('4.1 requires %s', async (field) => {
    await expectFault(sound({ [field]: undefined }), field, 'required');
    await expectFault(sound({ [field]: null }), field, 'type');
  });

  it.each(['MX', 'SRV'])('4.1 requires priority for %s', async (type) => {
    await expectFault(soundOf(type), 'priority', 'required');
    await expectFault(soundOf(type, { priority: null }), 'priority', 'required');
  });

  it.each(['colour', 'TTL', 'status', '__proto__', 'constructor'])(
    '4.1 refuses the unknown field %j',
    async (field) => {
      // JSON.stringify omits __proto__ from an object literal.
      const text = `${JSON.stringify(sound()).slice(0, -1)},${JSON.stringify(field)}:"x"}`;
      await expectFault(text, field, 'additionalProperties');
    },
  );

  it('4.1 names every field at fault', async () => {
    const { errors } = await refusalOf(domain.create({ type: 7, ttl: 0, priority: 1.5, no: 1 }), 400, 'invalid_object');
    expect(new Set(errors?.map(({ path }) => path))).toEqual(
      new Set(['name', 'type', 'data', 'ttl', 'priority', 'no']),
    );
  });

  it('4.1 accepts and ignores read-only fields', async () => {
    const alien = '00000000-0000-4000-8000-000000000000';
    const written = {
      id: alien,
      domain_id: alien,
      tenant_id: 'somebody',
      created_at: 'once',
      updated_at: 'later',
      version: 7,
    };
    const record = await bodyOf(domain.create(sound(written)));
    expect(record.id).not.toBe(alien);
    expect(record).toMatchObject({ domain_id: domain.id, updated_at: null });
    const [listed] = (await domain.records()).filter(({ id }) => id === record.id);
    expect(listed).toMatchObject({ tenant_id: 'tenant-a', version: 1 });
  });

  it('4.1 accepts null where a fetched record may have it', async () => {
    const nulls = { id: null, domain_id: null, tenant_id: null, created_at: null, updated_at: null, version: null };
    await bodyOf(domain.create(sound({ ...nulls, priority: null, ttl: null, description: null })));
  });

  it.each([
    ['id', 'seven'],
    ['id', 7],
    ['domain_id', {}],
    ['created_at', 7],
    ['updated_at', []],
    ['tenant_id', true],
    ['version', '1'],
    ['version', 1.5],
  ])('4.1 refuses %s = %j, ignored or not', async (field, value) => {
    const { errors } = await refusalOf(domain.create(sound({ [field]: value })), 400, 'invalid_object');
    expect(errors).toMatchObject([{ path: field }]);
  });

  it.each([
    ['name', 7],
    ['type', ['A']],
    ['data', { text: '192.0.2.1' }],
    ['description', 7],
    ['name', 'a\0b.example.org.'],
    ['data', '\ud800'],
    ['description', 'half a \udc00 pair'],
  ])('4.1 wants text for %s, not %j', async (field, value) => {
    await expectFault(sound({ [field]: value }), field, 'type');
  });
});

describe('integers', () => {
  it.each(['3600', 3600.5, true, [3600], { seconds: 3600 }])('4.2 refuses the ttl %j', async (ttl) => {
    await expectFault(sound({ ttl }), 'ttl', 'type');
  });

  it.each(['1e3', '1000.0', '1000'])('4.2 takes the ttl %s, another spelling of an integer in JSON', async (ttl) => {
    const body = JSON.stringify(sound({ ttl: 'TTL' })).replace('"TTL"', ttl);
    expect(await bodyOf(domain.create(body))).toMatchObject({ ttl: 1000 });
  });

  it.each(['10', 1.5, false, [10], {}])('4.2 refuses the priority %j', async (priority) => {
    await expectFault(soundOf('MX', { priority }), 'priority', 'type');
  });
});

describe('names', () => {
  it.each([
    'www',
    'MiXeD',
    'a-b',
    'a--b',
    'xn--bcher-kva',
    '_dmarc',
    '_443._tcp',
    'under_score',
    '0',
    '192',
    '*',
    '*.below',
    '_sip._tcp',
    'a.b.c.d.e.f.g.h',
    'l'.repeat(63),
  ])('4.3 accepts %j and returns it as sent', async (label) => {
    const name = domain.at(label);
    const { id } = await bodyOf(domain.create({ name, type: 'TXT', data: 'text' }));
    expect(await bodyOf(domain.get(id))).toMatchObject({ name });
  });

  it.each([
    ['', 'empty'],
    ['.', 'the root'],
    ['www', 'relative'],
    ['www.example.org', 'no final dot'],
    ['@', 'the origin sign'],
    ['a..DOMAIN', 'an empty label'],
    ['.DOMAIN', 'a leading dot'],
    [`${'l'.repeat(64)}.DOMAIN`, 'a label of 64 octets'],
    ['-a.DOMAIN', 'a leading hyphen'],
    ['a-.DOMAIN', 'a trailing hyphen'],
    ['a.*.DOMAIN', 'a wildcard inside'],
    ['**.DOMAIN', 'two stars'],
    ['*a.DOMAIN', 'a star before a letter'],
    ['a b.DOMAIN', 'a blank'],
    [' a.DOMAIN', 'a blank in front'],
    ['a.DOMAIN ', 'a blank behind'],
    ['a.DOMAIN\n', 'a line feed behind'],
    ['a\tb.DOMAIN', 'a tab'],
    ['a/b.DOMAIN', 'a slash outside in-addr.arpa'],
    ['a\\.b.DOMAIN', 'an escape'],
    ['a\\032b.DOMAIN', 'a decimal escape'],
    ['a!b.DOMAIN', 'a character that no host has'],
    ['xn--0.DOMAIN', 'an A-label that is none'],
  ])('4.3 refuses %j: %s', async (name) => {
    await expectFault(sound({ name: name.replace('DOMAIN', domain.name) }), 'name', 'format');
  });

  it.each([
    ['bücher', 'xn--bcher-kva'],
    ['BÜCHER', 'xn--bcher-kva'],
    ['中文', 'xn--fiq228c'],
    ['faß', 'xn--fa-hia'],
  ])('4.3 refuses %j and says that %s is the name to send', async (label, aLabel) => {
    const message = await expectFault(sound({ name: domain.at(label) }), 'name', 'format');
    expect(message).toContain(domain.at(aLabel));
  });

  it('4.3 accepts at most 255 octets on the wire', async () => {
    const long = `${'l'.repeat(63)}.`.repeat(3);
    const fill = (octets: number): string =>
      `${'f'.repeat(octets - 2 - long.length - domain.name.length)}.${long}${domain.name}`;
    await bodyOf(domain.create(sound({ name: fill(255) })));
    await expectFault(sound({ name: fill(256) }), 'name', 'format');
  });

  it('4.3 compares names without regard to case', async () => {
    const name = domain.at('CaSe');
    await bodyOf(domain.create(sound({ name })));
    await refusalOf(domain.create(sound({ name: name.toLowerCase() })), 409, 'duplicate_record');
    const { records } = await bodyOf<{ records: unknown[] }>(domain.list(`?name=${name.toUpperCase()}`));
    expect(records).toMatchObject([{ name }]);
  });

  it('4.3 accepts a slash under in-addr.arpa (RFC 2317)', async () => {
    const name = '0/25.2.0.192.in-addr.arpa.';
    expect(await bodyOf(reverse.create({ name, type: 'NS', data: 'ns.example.org.' }))).toMatchObject({ name });
  });

  it.each(['1', '200', 'pointer', 'sub.1'])(
    '4.3 accepts the PTR name %s: not only full reverse names',
    async (label) => {
      await bodyOf(reverse.create({ name: reverse.at(label), type: 'PTR', data: 'host.example.org.' }));
    },
  );

  it.each(['_sip._tcp', '_a._b.deep.down', '*._tcp', '*'])('4.3 accepts the SRV name %s', async (label) => {
    await bodyOf(domain.create(soundOf('SRV', { name: domain.at(label), priority: 1 })));
  });

  it.each(['sip', '_sip', '_sip.tcp', 'sip._tcp', '_._tcp', 'x._sip._tcp'])(
    '4.3 refuses the SRV name %s',
    async (label) => {
      await expectFault(soundOf('SRV', { name: domain.at(label), priority: 1 }), 'name', 'format');
    },
  );
});

describe('numbers and lengths', () => {
  it.each([null, 1, 10, 60, 2_147_483_647])('4.4 stores the ttl %j', async (ttl) => {
    const { id } = await bodyOf(domain.create(sound({ ttl })));
    expect(await bodyOf(domain.get(id))).toMatchObject({ ttl });
  });

  it.each([
    [0, 'minimum'],
    [-1, 'minimum'],
    [2_147_483_648, 'maximum'],
    [1e15, 'maximum'],
  ])('4.4 refuses the ttl %j', async (ttl, validator) => {
    await expectFault(sound({ ttl }), 'ttl', validator);
  });

  it('4.4 refuses non-admins a ttl below the configured minimum', async () => {
    const member = service.as('tenant-m');
    const own = await newDomain(member);
    const refused = { name: own.at('low'), type: 'A', data: '192.0.2.1', ttl: 59 };
    const { errors } = await refusalOf(own.create(refused), 400, 'invalid_ttl');
    expect(errors).toMatchObject([{ path: 'ttl', validator: 'minimum' }]);
    const { id } = await bodyOf(own.create({ ...refused, ttl: 60 }));
    await refusalOf(own.update(id, { ttl: 59 }), 400, 'invalid_ttl');
    expect(await bodyOf(own.update(id, { ttl: null }))).toMatchObject({ ttl: null });
  });

  it.each([0, 1, 65_535])('4.4 stores the priority %j of MX and SRV', async (priority) => {
    for (const type of ['MX', 'SRV']) {
      const { id } = await bodyOf(domain.create(soundOf(type, { priority })));
      expect(await bodyOf(domain.get(id))).toMatchObject({ priority });
    }
  });

  it.each([
    [-1, 'minimum'],
    [65_536, 'maximum'],
  ])('4.4 refuses the priority %j', async (priority, validator) => {
    for (const type of ['MX', 'SRV']) await expectFault(soundOf(type, { priority }), 'priority', validator);
  });

  it.each([
    ['A', '192.0.2.1'],
    ['AAAA', '2001:db8::1'],
    ['CNAME', 'www.example.org.'],
    ['TXT', 'text'],
    ['NS', 'ns.example.org.'],
    ['PTR', 'www.example.org.'],
    ['SPF', 'v=spf1 -all'],
    ['SSHFP', `1 1 ${'ab'.repeat(20)}`],
  ])('4.4 refuses a priority for %s, and takes null', async (type, data) => {
    await expectFault(sound({ type, data, priority: 0 }), 'priority', 'type');
    expect(await bodyOf(domain.create(sound({ type, data, priority: null })))).toMatchObject({ priority: null });
  });

  it.each([null, '', 'd', 'é'.repeat(160), '🦆'.repeat(160)])('4.4 stores the description %j', async (description) => {
    const { id } = await bodyOf(domain.create(sound({ description })));
    expect(await bodyOf(domain.get(id))).toMatchObject({ description });
  });

  it.each(['d'.repeat(161), '🦆'.repeat(161)])('4.4 refuses the description %j', async (description) => {
    await expectFault(sound({ description }), 'description', 'maxLength');
  });

  it('4.4 stores data up to the size of a DNS message', async () => {
    const name = domain.at('long');
    const fits = textOf(rdataRoom(name));
    const { id } = await bodyOf(domain.create({ name, type: 'TXT', data: fits }));
    expect(await bodyOf(domain.get(id))).toMatchObject({ data: fits });
    const other = domain.at('gnol');
    await expectFault({ name: other, type: 'TXT', data: `${fits}x` }, 'data', 'maxLength');
    await refusalOf(domain.update(id, { data: `${fits}x` }), 400, 'invalid_object');
    await expectFault({ name, type: 'TXT', data: 'one more' }, 'data', 'maxLength');
    await bodyOf(domain.create({ name, type: 'A', data: '192.0.2.1' }));
  });

  it('4.4 counts escapes as single octets', async () => {
    const name = domain.at('dddd');
    const data = '\\255'.repeat(textOf(rdataRoom(name)).length);
    const { id } = await bodyOf(domain.create({ name, type: 'TXT', data }));
    expect(await bodyOf(domain.get(id))).toMatchObject({ data });
    await expectFault({ name: domain.at('eddd'), type: 'TXT', data: `${data}\\000` }, 'data', 'maxLength');
  });
});

/** RDATA octets that fit next to a header, a question and one answer (RFC 1035 §4.1). */
function rdataRoom(name: string): number {
  return 65_535 - 12 - (name.length + 1 + 4) - 12;
}

/** The longest text whose strings of 255 octets, with a length octet each, fit. */
function textOf(octets: number): string {
  const text = 't'.repeat(octets - Math.ceil(octets / 256));
  expect(text.length + Math.ceil(text.length / 255)).toBe(octets);
  return text;
}

describe('times and versions', () => {
  const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}$/;

  it('4.5 writes UTC with six decimals of real microseconds', async () => {
    const before = Date.now();
    const made = await Promise.all(Array.from({ length: 20 }, () => bodyOf(domain.create(sound()))));
    const micros = made.map(({ created_at }) => {
      expect(created_at).toMatch(TIMESTAMP);
      const time = Date.parse(`${created_at.slice(0, 23)}Z`);
      expect(time).toBeGreaterThanOrEqual(before - 5);
      expect(time).toBeLessThanOrEqual(Date.now() + 5);
      return created_at.slice(-3);
    });
    expect(new Set(micros).size).toBeGreaterThan(5);
  });

  it('4.5 has no updated_at before the first update, and a later one with each', async () => {
    const created = await bodyOf(domain.create(sound()));
    expect(created.updated_at).toBeNull();
    const first = await bodyOf(domain.update(created.id, { description: 'one' }));
    expect(first.updated_at).toMatch(TIMESTAMP);
    const second = await bodyOf(domain.update(created.id, { description: 'two' }));
    const times = [created.created_at, first.updated_at!, second.updated_at!];
    expect(new Set(times).size).toBe(3);
    expect([...times].sort()).toEqual(times);
    expect(second.created_at).toBe(created.created_at);
  });

  it('4.5 counts versions from 1, one for each update', async () => {
    const { id } = await bodyOf(domain.create(sound()));
    const versionNow = async () => (await domain.records()).find((record) => record.id === id)?.version;
    expect(await versionNow()).toBe(1);
    await bodyOf(domain.update(id, { ttl: 300 }));
    expect(await versionNow()).toBe(2);
    await refusalOf(domain.update(id, { ttl: 0 }), 400, 'invalid_object');
    expect(await versionNow()).toBe(2);
  });

  it('4.6 keeps the ttl of each record of a set as written', async () => {
    const name = domain.at('ttls');
    const ttls = [300, null, 60];
    const made = await Promise.all(
      ttls.map((ttl, at) => bodyOf(domain.create({ name, type: 'A', data: `192.0.2.${String(at + 1)}`, ttl }))),
    );
    for (const [at, { id }] of made.entries()) expect(await bodyOf(domain.get(id))).toMatchObject({ ttl: ttls[at] });
  });
});

it('leaves the database consistent', () => audit(service.databaseFile));
