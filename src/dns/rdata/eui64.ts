import { extendedUniqueIdentifier } from './extended-unique-identifier.js';
import { recordType } from './record-type.js';

/** RFC 7043 §4 — the 64-bit address of a network interface. */
export const EUI64 = recordType({
  name: 'EUI64',
  code: 109,
  rfc: 'RFC 7043 §4',
  fields: { address: extendedUniqueIdentifier(8) },
  example: { name: 'host.example.org.', data: '00-00-5e-ef-10-00-00-2a' },
});
