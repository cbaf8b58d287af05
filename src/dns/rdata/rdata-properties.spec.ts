import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { expectStable } from '../../../test/support/describe-type.js';
import { VALID_RDATA } from '../../../test/support/valid-rdata.js';
import { DomainName } from '../name.js';
import { genericType, RdataError, type RecordType, SOA, STANDARD_TYPES } from './index.js';

const GENERIC = genericType('TYPE65280');
const TYPES: readonly RecordType[] = [...STANDARD_TYPES, SOA, ...(GENERIC ? [GENERIC] : [])];

describe.each(TYPES.map((type) => [type.name, type] as const))('%s', (name, type) => {
  it('survives text and octets, whatever its value', () => {
    fc.assert(fc.property(VALID_RDATA[name] ?? fc.constant(new Uint8Array()), (rdata) => expectStable(type, rdata)));
  });
});
