import { extendedUniqueIdentifier } from './extended-unique-identifier.js';
import { recordType } from './record-type.js';

/** RFC 7043 §3 — the 48-bit address of a network interface, such as an Ethernet card's. */
export const EUI48 = recordType({
  name: 'EUI48',
  code: 108,
  rfc: 'RFC 7043 §3',
  fields: { address: extendedUniqueIdentifier(6) },
  example: { name: 'host.example.org.', data: '00-00-5e-00-53-2a' },
});
