import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fields, recordType } from '../../src/index.js';
import { STANDARD_TYPES } from '../../src/dns/rdata/index.js';
import { definePlugin } from '../../src/plugins/plugin.js';
import { answerOf, bodyOf, expectRefusal } from '../support/answers.js';
import { newDomain } from '../support/domain.js';
import { type Settings, startTestService, type TestService } from '../support/service.js';

interface FieldBody {
  readonly name: string;
  readonly label: string;
  readonly kind: string;
  readonly values: readonly { readonly value: number | string; readonly label: string }[] | null;
}

interface TypeBody {
  readonly name: string;
  readonly priority: FieldBody | null;
  readonly owner_rule: string | null;
  readonly placement_rules: readonly string[];
  readonly fields: readonly FieldBody[];
  readonly example: {
    readonly name: string;
    readonly data: string;
    readonly priority: number | null;
    readonly fields: object;
  };
}

interface TypesBody {
  readonly record_types: readonly TypeBody[];
  readonly numbered_types: boolean;
}

const PATH = '/v1/record-types';
const RACK = recordType({
  name: 'RACKUNIT',
  code: 65_320,
  rfc: 'RFC 6895 §3.1',
  fields: { unitNumber: fields.uint8In(new Map([[1, 'lowest']])) },
  placement: { isSingle: true },
  example: { name: 'host.example.org.', data: '1' },
});
const PLUGIN = definePlugin({ name: 'racks', zonewright: '*', recordTypes: () => [RACK] });

describe('the record types of a service', () => {
  let service: TestService;
  let body: TypesBody;
  beforeAll(async () => {
    service = await startTestService({}, undefined, [PLUGIN]);
    body = await bodyOf<TypesBody>(service.as('tenant-b', 'reader').call('get', PATH));
  });
  afterAll(() => service.stop());

  const typeOf = (name: string): TypeBody | undefined => body.record_types.find((type) => type.name === name);

  it('4.8 lists the supported types, plugin types included, in order', () => {
    expect(body.record_types.map(({ name }) => name)).toEqual([...STANDARD_TYPES.map(({ name }) => name), 'RACKUNIT']);
    expect(body.numbered_types).toBe(true);
  });

  it('4.8 are described whole', () => {
    expect(typeOf('MX')).toEqual({
      name: 'MX',
      code: 15,
      rfc: 'RFC 1035 §3.3.9',
      priority: field('priority', 'Preference', 'number', { form: 'number 0–65535', minimum: 0, maximum: 65_535 }),
      owner_rule: 'Names are those of hosts.',
      placement_rules: ['A null MX is the only one at its name.'],
      fields: [field('exchange', 'Exchange', 'host_name', { form: 'host name' })],
      example: {
        name: 'example.org.',
        data: 'mail.example.org.',
        priority: 10,
        fields: { exchange: 'mail.example.org.' },
      },
    });
    expect(typeOf('RACKUNIT')).toMatchObject({
      priority: null,
      placement_rules: ['A name has one record of it.'],
      fields: [field('unit_number', 'Unit number', 'choice', { form: '1', values: [{ value: 1, label: 'lowest' }] })],
      example: { data: '1', fields: { unit_number: 1 } },
    });
    expect(typeOf('SRV')?.owner_rule).toBe(
      'Names begin with a service and a protocol, like "_sip._tcp.", or with a wildcard.',
    );
    expect(typeOf('SSHFP')?.fields[1]).toMatchObject({
      label: 'Fingerprint type',
      kind: 'choice',
      values: [
        { value: 1, label: 'SHA-1' },
        { value: 2, label: 'SHA-256' },
      ],
    });
    expect(typeOf('TXT')?.fields).toEqual([field('text', 'Text', 'text', { form: 'one text or more', repeats: true })]);
  });

  it('4.8 have examples that the service accepts, as data and as fields', async () => {
    const domain = await newDomain(service, 'example.org.');
    const reverse = await newDomain(service, '2.0.192.in-addr.arpa.');
    for (const { name: type, example } of body.record_types) {
      const { name, data, priority, fields: inFields } = example;
      const at = name.endsWith('.arpa.') ? reverse : domain;
      const sent = await bodyOf(at.create({ name, type, priority, fields: inFields }));
      expect([type, sent.priority]).toEqual([type, priority]);
      expect((await at.create({ name, type, priority, data })).status).toBe(409);
      await at.delete(sent.id);
    }
  });

  it('4.8 answers 304 to a client that has them', async () => {
    const first = await answerOf(service.call('get', PATH));
    const tag = String(first.headers.etag);
    expect(tag).toMatch(/^"[\w-]{22}"$/);
    expect((await answerOf(service.call('get', PATH).set('If-None-Match', tag), 304)).text).toBe('');
    expect((await answerOf(service.call('get', PATH).set('If-None-Match', '"other"'))).headers.etag).toBe(tag);
    expect((await answerOf(service.call('head', PATH))).headers.etag).toBe(tag);
  });
});

describe('with other options', () => {
  const started: TestService[] = [];
  afterAll(() => Promise.all(started.map((service) => service.stop())));
  const start = async (settings: Settings): Promise<TestService> => {
    const service = await startTestService(settings);
    started.push(service);
    return service;
  };

  it('4.8, 5.9 lists no type that is switched off, under another tag', async () => {
    const [few, all] = [await start({ DEFAULT__SUPPORTED_RECORD_TYPES: 'A, TXT' }), await start({})];
    const answer = await answerOf(few.call('get', PATH));
    const body = answer.body as TypesBody;
    expect(body.record_types.map(({ name }) => name)).toEqual(['A', 'TXT']);
    expect(body.numbered_types).toBe(false);
    expect((await answerOf(all.call('get', PATH))).headers.etag).not.toBe(answer.headers.etag);
  });

  it('4.8, 3.1 needs a credential', async () => {
    const service = await start({ SERVICE_API__AUTH_STRATEGY: 'token' });
    expectRefusal(await service.plain('get', PATH), { status: 401, type: 'access_denied' });
  });
});

function field(name: string, label: string, kind: string, others: object): object {
  const empty = { minimum: null, maximum: null, values: null, repeats: false, optional: false };
  return { ...empty, name, label, kind, ...others };
}
