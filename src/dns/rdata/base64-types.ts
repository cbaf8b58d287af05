import { base64, uint16, uint8, withMnemonics } from './fields.js';
import { plainType, recordType } from './record-type.js';
import { ALGORITHMS } from './dnssec.js';
import { RdataError } from './rdata-error.js';

/** Digest of the DHCP client that owns a name (RFC 4703). */
export const DHCID = recordType({
  name: 'DHCID',
  code: 49,
  rfc: 'RFC 4701 §3',
  fields: { digest: base64 },
  example: { name: 'chi6.example.org.', data: 'AAIBY2/AuCccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA=' },
});

/** OpenPGP key of a mail address. The owner name has a hash of the local part. */
export const OPENPGPKEY = recordType({
  name: 'OPENPGPKEY',
  code: 61,
  rfc: 'RFC 7929 §2.1',
  fields: { key: base64 },
  example: {
    name: 'c93f1e400f26708f98cb19d936620da35eec8f72e57f9eec01c1afd6._openpgpkey.example.org.',
    data: 'mQINBFit2jsBEADr',
  },
});

/** Registration of an aircraft's host identity. */
export const HHIT = plainType('HHIT', 67, 'RFC 9886 §5.1', 'uas.example.org. gwGCAAEC', { data: base64 });

/** Remote identification of an aircraft for broadcasts. */
export const BRID = plainType('BRID', 68, 'RFC 9886 §5.2', 'uas.example.org. owAAAYIAAg==', { data: base64 });

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

/** Prints numbers, because not every name server knows all mnemonics. */
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
