import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '../common/service-error.js';
import { DomainName } from '../dns/name.js';
import { RecordTypes, STANDARD_TYPES } from '../dns/rdata/index.js';
import { contentOf, readRecordContent } from './record-content.js';

const types = new RecordTypes(STANDARD_TYPES);

describe('a record of a master file', () => {
  it.each([...types].filter(({ name }) => name !== 'SOA').map((type) => [type.name, type] as const))(
    '4.3, 5.1 is the content that the same record of the API is: %s',
    (_, type) => {
      const { name, data, priority } = type.example;
      const rdata = type.parse(data, priority);
      const content = contentOf({ owner: DomainName.parse(name), type, rdata, ttl: 300 });
      expect(content).toEqual(readRecordContent(types, { name, type: type.name, ttl: 300, ...type.toData(rdata) }));
    },
  );

  it.each(['-a.example.org.', 'a-.example.org.', 'a.*.example.org.', 'xn--a.example.org.'])(
    '4.3 has an owner name that a record of the API may have, unlike %s',
    (name) => {
      const type = types.byName('A');
      if (type === undefined) throw new Error('there are A records');
      const owner = DomainName.parse(name);
      const ofFile = (): unknown => contentOf({ owner, type, rdata: Uint8Array.of(192, 0, 2, 1), ttl: null });
      const sent = { name: owner.toString(), type: 'A', data: '192.0.2.1' };
      expect(faultOf(ofFile)).toEqual(faultOf(() => readRecordContent(types, sent)));
    },
  );

  it('4.3 has the root as its owner name where a record of the API may have it: whether it lies in the zone is judged later', () => {
    const type = types.byName('A');
    if (type === undefined) throw new Error('there are A records');
    const content = contentOf({ owner: DomainName.ROOT, type, rdata: Uint8Array.of(192, 0, 2, 1), ttl: null });
    expect(content).toEqual(readRecordContent(types, { name: '.', type: 'A', data: '192.0.2.1' }));
  });
});

function faultOf(read: () => unknown): unknown {
  try {
    read();
  } catch (error) {
    if (error instanceof ServiceError) return { code: error.code, message: error.message, errors: error.errors };
    throw error;
  }
  throw new Error('it was taken');
}
