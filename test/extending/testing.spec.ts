import { describe, expect, it } from '@jest/globals';
import { RACK } from '../../examples/acme/rack.js';
import {
  Clock,
  ConfigError,
  type Field,
  RdataError,
  type RecordType,
  recordType,
  ZonesService,
} from '../../src/index.js';
import { describeType, startTestService, type TypeSamples } from '../../src/testing/index.js';

/** The failing tests with their messages, in a runner that runs tests immediately. */
function failuresOf(type: RecordType, samples: Partial<TypeSamples>): string[] {
  const failures: string[] = [];
  const runner = {
    describe: (_: string, body: () => void) => body(),
    it(name: string, body: () => void) {
      try {
        body();
      } catch (error) {
        failures.push(`${name}: ${String(error)}`);
      }
    },
  };
  describeType(type, { accepts: [], refuses: [], ...samples }, runner);
  return failures;
}

/** A valid one-octet number except for the given parts. */
function tallyWith(field: Partial<Field<number>>): RecordType {
  const tally: Field<number> = {
    form: 'number',
    parse: (tokens) => Number(tokens.unquoted('tally')),
    print: String,
    read: (wire) => wire.uint8(),
    write: (value, out) => out.uint8(value),
    ...field,
  };
  const example = { name: 'host.example.org.', data: '7' };
  return recordType({ name: 'TALLY', code: 65_302, rfc: 'RFC 6895 §3.1', fields: { tally }, example });
}

const BROKEN: readonly [what: string, type: RecordType, samples: Partial<TypeSamples>, failure: RegExp][] = [
  ['accepts what it should refuse', RACK, { refuses: ['a U12'] }, /^refuses "a U12": .*it is accepted/],
  ['refuses what it should accept', RACK, { accepts: ['a U61'] }, /^accepts "a U61" .*is in no rack/],
  [
    'writes another value',
    tallyWith({ print: (value) => String(value + 1) }),
    {},
    /others after they were written as 8/,
  ],
  [
    'reads fewer octets than it writes',
    tallyWith({ write: (value, out) => out.uint16(value) }),
    {},
    /TALLY data has 1 octets too many/,
  ],
  [
    'breaks instead of refusing',
    tallyWith({
      parse: (tokens) => {
        const text = tokens.unquoted('tally');
        if (text === 'x') throw new TypeError('x is not iterable');
        return Number(text);
      },
    }),
    { refuses: ['x'] },
    /not refused by an RdataError, but breaks: TypeError: x is not/,
  ],
  [
    'refuses in many lines',
    tallyWith({
      check: (value) => {
        if (value > 9) throw new RdataError('the tally\nis too high');
      },
    }),
    { refuses: ['10'] },
    /the message is one line/,
  ],
  [
    'breaks over octets that are cut off',
    tallyWith({
      read: (wire) => {
        if (wire.remaining === 0) throw new TypeError('no octet');
        return wire.uint8();
      },
    }),
    {},
    /^accepts or refuses octets that are cut off.*TypeError: no octet/,
  ],
  [
    'has canonical forms of canonical forms',
    tallyWith({ canonicalize: (value) => Math.floor(value / 2) }),
    {},
    /has another canonical form/,
  ],
];

describe('describeType', () => {
  it('finds nothing in a type that is right', () => {
    expect(failuresOf(RACK, { accepts: ['a U12'], refuses: ['a U61'] })).toEqual([]);
    expect(failuresOf(tallyWith({}), { accepts: ['255'] })).toEqual([]);
  });

  it.each(BROKEN)('finds a type that %s', (_, type, samples, failure) => {
    expect(failuresOf(type, samples)).toContainEqual(expect.stringMatching(failure));
  });

  it('explains how to proceed in a runner without globals', () => {
    const { describe: kept } = globalThis as { describe?: unknown };
    Object.assign(globalThis, { describe: undefined });
    try {
      expect(() => describeType(RACK, { accepts: [], refuses: [] })).toThrow(/hand them over, import \* as runner/);
    } finally {
      Object.assign(globalThis, { describe: kept });
    }
  });
});

describe('startTestService', () => {
  it('starts services that share nothing, and leaves nothing when they are closed', async () => {
    const services = await Promise.all([startTestService(), startTestService()]);
    const names = services.map(({ url }) => new URL(url).port);
    expect(new Set(names).size).toBe(2);
    const [one, other] = services.map(({ client }) => client.as({ tenant: 'acme' }));
    (await one!.post('/v1/domains', { name: 'one.example.', email: 'h@example.org' })).expect(200);
    expect((await other!.get('/v1/domains')).expect(200).json).toEqual({ domains: [] });
    for (const service of services) {
      await service.close();
      await service.close();
      await expect(service.client.get('/healthz')).rejects.toThrow();
    }
  });

  it('finds its services by their classes', async () => {
    const service = await startTestService();
    expect(service.get(ZonesService)).toBeInstanceOf(ZonesService);
    expect(service.get(Clock)).toBeInstanceOf(Clock);
    await service.close();
  });

  it('has clients that send the given requests in the given role', async () => {
    const service = await startTestService({ config: { 'service:api': { auth_strategy: 'token', docs: false } } });
    const { client } = service;
    const refused = (await client.get('/v1/domains')).expect(401);
    expect(refused).toMatchObject({ json: { type: 'access_denied' }, status: 401 });
    expect(refused.headers.get('Content-Type')).toContain('application/json');
    (await client.as({ token: 'wrong' }).get('/v1/domains')).expect(401);
    const path = '/v1/domains';
    const malformed = { method: 'POST', path, body: '{', headers: { 'Content-Type': 'application/json' } };
    (await client.send(malformed)).expect(401);
    expect(() => refused.expect(200)).toThrow(/^GET \/v1\/domains was answered 401 instead of 200: \{/);
    await service.close();
  });

  it('refuses an unknown option, and a database that it cannot create', async () => {
    await expect(startTestService({ config: { database: { urls: 'x' } } })).rejects.toThrow(ConfigError);
    await expect(startTestService({ database: 'sqlite:x' })).rejects.toThrow('is not the URL of a PostgreSQL server');
  });
});
