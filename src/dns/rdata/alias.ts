import { domainName } from './fields.js';
import { RdataError } from './rdata-error.js';
import { recordType } from './record-type.js';

/**
 * Follows the addresses of another name. The service resolves it and publishes A and AAAA records (behaviour 24). Stored
 * by name alone: the code, which PowerDNS uses, is in the private range, and other servers give it other meanings.
 */
export const ALIAS = recordType({
  name: 'ALIAS',
  code: 65401,
  rfc: 'of Zonewright and PowerDNS',
  fields: { target: domainName },
  check({ target }) {
    if (target.labelCount === 0) throw new RdataError('"." has no address: write the name to follow', 'data', 'target');
    if (target.toString().startsWith('*.'))
      throw new RdataError('a wildcard has no address: write the name to follow', 'data', 'target');
  },
  hasHostOwner: true,
  role: 'address',
  placement: { isSingle: true },
  isUnserved: true,
  example: { name: 'example.org.', data: 'lb.example.net.' },
});

/** Types that the service publishes at the name of an ALIAS. */
export const ALIAS_ADDRESSES: readonly string[] = ['A', 'AAAA'];
