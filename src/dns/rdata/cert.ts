import { ALGORITHMS } from './dnssec.js';
import { base64, uint16, uint8, withMnemonics } from './fields.js';
import { RdataError, recordType } from './record-type.js';

/** RFC 4398 §2.1. */
const CERTIFICATE_TYPES: ReadonlyMap<string, number> = new Map([
  ['PKIX', 1],
  ['SPKI', 2],
  ['PGP', 3],
  ['IPKIX', 4],
  ['ISPKI', 5],
  ['IPGP', 6],
  ['ACPKIX', 7],
  ['IACPKIX', 8],
  ['URI', 253],
  ['OID', 254],
]);

/** RFC 4398 §2 — a certificate or revocation list. It is printed in numbers, for not every name server knows all mnemonics. */
export const CERT = recordType({
  name: 'CERT',
  code: 37,
  rfc: 'RFC 4398 §2',
  fields: {
    certificateType: withMnemonics(uint16, CERTIFICATE_TYPES),
    keyTag: uint16,
    algorithm: withMnemonics(uint8, ALGORITHMS),
    certificate: base64,
  },
  check({ certificateType }) {
    if (certificateType > 0) return;
    throw new RdataError(
      'certificate type 0 is reserved: use PKIX, PGP or another of RFC 4398 §2.1',
      'data',
      'certificateType',
    );
  },
  example: { name: 'example.org.', data: '1 0 0 MIIBCgKCAQEA' },
});
