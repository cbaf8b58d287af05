import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { answerOf, refusalOf } from '../support/answers.js';
import { domainOf, newDomain, type TestDomain } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';

let directory: string;
let service: TestService;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
});
afterEach(async () => {
  await service.stop();
  await rm(directory, { recursive: true });
});

const start = async (types: string): Promise<void> => {
  service = await startTestService({ DEFAULT__SUPPORTED_RECORD_TYPES: types }, directory);
};

/** The service again on the same database, with other types. */
const restart = async (types: string, zone: TestDomain): Promise<TestDomain> => {
  await service.stop();
  await start(types);
  return domainOf(service, zone);
};

const TEXT = { type: 'TXT', data: 'text' };
const LOCATION = { type: 'LOC', data: '52 22 23.000 N 4 53 32.000 E -2.00m 0.00m 10000m 10m' };
const NUMBERED = { type: 'TYPE65280', data: '\\# 2 0a0b' };

describe('supported_record_types', () => {
  it('5.9 accepts all types by default', async () => {
    await start('');
    const zone = await newDomain(service);
    for (const value of [TEXT, LOCATION, NUMBERED]) await answerOf(zone.create({ name: zone.at('a'), ...value }));
  });

  it('5.9 accepts exactly the configured types, as single records and in a file', async () => {
    await start('A, TXT');
    const zone = await newDomain(service);
    await answerOf(zone.create({ name: zone.at('a'), ...TEXT }));
    for (const { type, data } of [LOCATION, NUMBERED]) {
      const { errors } = await refusalOf(zone.create({ name: zone.at('a'), type, data }), 400, 'invalid_object');
      expect(errors).toMatchObject([{ path: 'type', validator: 'enum' }]);
      expect(await zone.refuse(`a TXT text\na ${type} ${data}\n`)).toEqual([expect.stringMatching(/^2:3 /)]);
    }
  });

  it('5.9 TYPEn matches all types without a name', async () => {
    await start('A,TYPEn');
    const zone = await newDomain(service);
    await answerOf(zone.create({ name: zone.at('a'), ...NUMBERED }));
    await refusalOf(zone.create({ name: zone.at('a'), ...TEXT }), 400, 'invalid_object');
  });

  it('5.9 stored records of a disabled type are listed, exported and deletable', async () => {
    await start('');
    const before = await newDomain(service);
    for (const value of [TEXT, LOCATION, NUMBERED]) await before.create({ name: before.at('a'), ...value });
    const exported = await before.export();

    const zone = await restart('A', before);
    const records = await zone.records();
    expect(records.map(({ type }) => type)).toEqual(['TXT', 'LOC', 'TYPE65280']);
    expect(await zone.export()).toBe(exported);
    expect(await zone.check()).toEqual({ errors: [], warnings: [] });
    expect(await zone.import('b A 192.0.2.1\n')).toMatchObject({ created: 1 });
    expect(await zone.import('b A 192.0.2.1\n', '?mode=replace')).toMatchObject({ unchanged: 1, removed: 3 });
  });
});

describe('priority', () => {
  it('5.9 belongs to MX and SRV; other types have only data', async () => {
    await start('');
    const zone = await newDomain(service);
    await zone.import(
      'm MX 7 mail\n_s._tcp SRV 8 1 2 host\nu URI 9 1 "ftp://example.org/"\nh HTTPS 3 svc\nn NAPTR 4 5 "" "" "" .\n',
    );
    expect((await zone.records()).map(({ type, priority, data }) => [type, priority, data])).toEqual([
      ['MX', 7, `mail.${zone.name}`],
      ['SRV', 8, `1 2 host.${zone.name}`],
      ['URI', null, '9 1 "ftp://example.org/"'],
      ['HTTPS', null, `3 svc.${zone.name}`],
      ['NAPTR', null, '4 5 "" "" "" .'],
    ]);
    const https = { name: zone.at('x'), type: 'HTTPS', data: '1 .' };
    const { errors } = await refusalOf(zone.create({ ...https, priority: 1 }), 400, 'invalid_object');
    expect(errors).toMatchObject([{ path: 'priority' }]);
    await answerOf(zone.create({ ...https, priority: null }));
  });
});

describe('5.9 types with a number only (RFC 3597)', () => {
  it.each([
    ['TYPE65280', '\\# 0'],
    ['TYPE65280', '\\# 3 0A 0b0C'],
    ['TYPE54', '\\# 1 00'],
  ])('%s %s is taken', async (type, data) => {
    await start('');
    const zone = await newDomain(service);
    await answerOf(zone.create({ name: zone.at('a'), type, data }));
    expect(await zone.import(await zone.export(), '?mode=replace')).toMatchObject({ unchanged: 1, created: 0 });
  });

  it.each([
    ['TYPE1', '\\# 4 c0000201', 'has a name'],
    ['TYPE6', '\\# 1 00', 'is the SOA'],
    ['TYPE41', '\\# 0', 'stands in no zone'],
    ['TYPE255', '\\# 0', 'is a question'],
    ['TYPE65536', '\\# 0', 'is too large'],
    ['TYPE065280', '\\# 0', 'has a leading zero'],
    ['type65280', '\\# 0', 'is not written so'],
    ['TYPE65280', '\\# 2 0a', 'has the wrong length'],
    ['TYPE65280', '\\# 1 0', 'has half an octet'],
    ['TYPE65280', 'text', 'is no data of it'],
  ])('%s %s is refused: it %s', async (type, data) => {
    await start('');
    const zone = await newDomain(service);
    const answer = await zone.create({ name: zone.at('a'), type, data });
    expect([answer.status, ['invalid_object', 'bad_request'].includes(answer.body.type)]).toEqual([400, true]);
  });
});
