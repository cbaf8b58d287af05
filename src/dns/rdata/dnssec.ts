import { quoted } from '../name.js';
import { assertDigest, GOST_LENGTH, SHA1_LENGTH, SHA256_LENGTH, SHA384_LENGTH, SM3_LENGTH } from './digest.js';
import type { Field } from './field.js';
import { base64, domainName, hex, uint16, uint32, uint8, uint8In, withMeanings, withMnemonics } from './fields.js';
import { wordForm } from './json-form.js';
import type { NeededType } from './placement.js';
import { RdataError } from './rdata-error.js';
import { plainType, recordType } from './record-type.js';
import { typeBitmap } from './type-bitmap.js';
import { typeCode, typeName } from './type-names.js';

/** Zone signing algorithms (IANA, DNS Security Algorithm Numbers). */
export const ALGORITHMS: ReadonlyMap<string, number> = new Map([
  ['DSA', 3],
  ['RSASHA1', 5],
  ['DSA-NSEC3-SHA1', 6],
  ['RSASHA1-NSEC3-SHA1', 7],
  ['RSASHA256', 8],
  ['RSASHA512', 10],
  ['ECC-GOST', 12],
  ['ECDSAP256SHA256', 13],
  ['ECDSAP384SHA384', 14],
  ['ED25519', 15],
  ['ED448', 16],
  ['SM2SM3', 17],
  ['ECC-GOST12', 23],
  ['PRIVATEDNS', 253],
  ['PRIVATEOID', 254],
]);

/** A child zone asks its parent with it to end DNSSEC (RFC 8078 §4). */
const NONE: readonly [number, string] = [0, 'none'];
const DIGEST_TYPES: readonly (readonly [number, string])[] = [
  [1, 'SHA-1'],
  [2, 'SHA-256'],
  [3, 'GOST R 34.11-94'],
  [4, 'SHA-384'],
  [5, 'GOST R 34.11-2012'],
  [6, 'SM3'],
];
const ALGORITHM_NAMES = [...ALGORITHMS].map(([name, number]) => [number, name] as const);
const PUBLIC_ALGORITHMS = ALGORITHM_NAMES.filter(([number]) => number < 253);
const anyAlgorithm = withMnemonics(uint8, ALGORITHMS);

const algorithm = withMeanings(anyAlgorithm, new Map(ALGORITHM_NAMES));
const algorithmOrNone = withMeanings(anyAlgorithm, new Map([NONE, ...ALGORITHM_NAMES]));
const publicAlgorithmOrNone = withMeanings(anyAlgorithm, new Map([NONE, ...PUBLIC_ALGORITHMS]));
const digestType = withMeanings(uint8, new Map(DIGEST_TYPES));
const digestTypeOrNone = withMeanings(uint8, new Map([NONE, ...DIGEST_TYPES]));

/**
 * Octets by digest type (RFC 4034, 4509, 5933, 6605, 9558, 9563). BIND refuses other lengths of types 1, 2 and 4. Only
 * kzonecheck and Knot with `semantic-checks` check the other types.
 */
const DIGEST_LENGTHS: ReadonlyMap<number, number> = new Map([
  [1, SHA1_LENGTH],
  [2, SHA256_LENGTH],
  [3, GOST_LENGTH],
  [4, SHA384_LENGTH],
  [5, GOST_LENGTH],
  [6, SM3_LENGTH],
]);

/** Octets, for algorithms with a fixed key length (RFC 6605 §4, RFC 8080 §3). */
const KEY_LENGTHS: ReadonlyMap<number, number> = new Map([
  [13, 64],
  [14, 96],
  [15, 32],
  [16, 57],
]);

/** BIND loads a malformed key (RFC 4034 §A.1.1) from a file but refuses it in a transfer, which would stop the zone. */
const PRIVATE_ALGORITHMS = new Set([253, 254]);

/** BIND checks for the key in files, but not in transfers. Algorithm 0 ends DNSSEC and needs no key (RFC 8078 §4). */
const NEEDS_DNSKEY: NeededType<{ readonly algorithm: number }> = {
  type: 'DNSKEY',
  otherwise: 'BIND refuses a zone file with it',
  atApexOnly: true,
  isNeededBy: ({ algorithm }) => algorithm !== 0,
};

/** DS belongs to the parent zone (RFC 4035 §2.4). */
export const DS = recordType({
  name: 'DS',
  code: 43,
  rfc: 'RFC 4034 §5.1',
  fields: { keyTag: uint16, algorithm, digestType, digest: hex },
  check: ({ digestType, digest }) => assertDelegationSigner(digestType, digest),
  placement: {
    notAtApex: 'it stands in the parent zone, beside the NS records that delegate this one',
    isAtZoneCut: true,
    needs: { type: 'NS', otherwise: 'nothing is delegated there' },
  },
  example: {
    name: 'child.example.org.',
    data: '60485 13 2 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
  },
});

/** DS record for the parent to publish. `0 0 0 00` asks it to remove DS (RFC 8078 §4). */
export const CDS = recordType({
  name: 'CDS',
  code: 59,
  rfc: 'RFC 7344 §3.1',
  fields: { keyTag: uint16, algorithm: algorithmOrNone, digestType: digestTypeOrNone, digest: hex },
  check({ keyTag, algorithm, digestType, digest }) {
    const asksForNone = keyTag === 0 && algorithm === 0 && digestType === 0 && digest.length === 1 && digest[0] === 0;
    if (!asksForNone) assertDelegationSigner(digestType, digest);
  },
  placement: { needs: NEEDS_DNSKEY },
  example: {
    name: 'example.org.',
    data: '60485 13 2 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
  },
});

/** RFC 4034 §2.1.1. */
const FLAGS: ReadonlyMap<number, string> = new Map([
  [257, 'key signing key'],
  [256, 'zone signing key'],
  [0, 'none'],
]);
/** RFC 4034 §2.1.2. */
const PROTOCOLS: ReadonlyMap<number, string> = new Map([[3, 'DNSSEC']]);

/** Key for the parent to derive DS from. `0 3 0 AA==` asks it to remove DS (RFC 8078 §4). */
export const CDNSKEY = recordType({
  name: 'CDNSKEY',
  code: 60,
  rfc: 'RFC 7344 §3.2',
  fields: {
    flags: withMeanings(uint16, FLAGS),
    protocol: uint8In(PROTOCOLS),
    algorithm: publicAlgorithmOrNone,
    publicKey: base64,
  },
  check({ flags, algorithm, publicKey }) {
    const asksForNone = flags === 0 && algorithm === 0 && publicKey.length === 1 && publicKey[0] === 0;
    if (!asksForNone) assertPublicKey(algorithm, publicKey);
  },
  placement: { needs: NEEDS_DNSKEY },
  example: { name: 'example.org.', data: '257 3 15 l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=' },
});

/** Types for the parent to copy from the child zone, and the serial that allows it. */
export const CSYNC = plainType('CSYNC', 62, 'RFC 7477 §2.1', 'example.org. 66 3 A NS AAAA', {
  serial: uint32,
  flags: uint16,
  types: typeBitmap,
});

/** RFC 2535 §3.1.2. */
const NO_KEY = 0xc000;

/** A key, now for SIG(0) only (RFC 2931 §2.4). */
export const KEY = recordType({
  name: 'KEY',
  code: 25,
  rfc: 'RFC 2535 §3',
  fields: { flags: uint16, protocol: uint8, algorithm: withMnemonics(uint8, ALGORITHMS), publicKey: base64 },
  check({ flags, algorithm }) {
    if (flags >= NO_KEY)
      throw new RdataError('flags from 49152 on mean a record without a key: use lower ones', 'data', 'flags');
    if (algorithm < 253) return;
    throw new RdataError('algorithms from 253 on are private: use one like 13', 'data', 'algorithm');
  },
  example: { name: 'host.example.org.', data: '512 3 15 l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=' },
});

const recordTypeField: Field<number> = {
  form: 'record type',
  parse(tokens, label) {
    const text = tokens.unquoted(label);
    const code = typeCode(text);
    if (code !== undefined) return code;
    throw new RdataError(
      `the ${label} ${quoted(text)} is not a record type: write one like CDS, or TYPE and its number`,
    );
  },
  print: typeName,
  read: (wire) => wire.uint16(),
  write: (value, out) => out.uint16(value),
  json: wordForm('record_type', typeName),
};

/** RFC 9859 §2.3.2. */
const SCHEMES: ReadonlyMap<string, number> = new Map([['NOTIFY', 1]]);

/** Address at which a parent zone takes notifications of delegation changes. */
export const DSYNC = recordType({
  name: 'DSYNC',
  code: 66,
  rfc: 'RFC 9859 §2.3',
  fields: { rrtype: recordTypeField, scheme: withMnemonics(uint8, SCHEMES), port: uint16, target: domainName },
  example: { name: '_dsync.example.org.', data: 'CDS 1 5359 cds-scanner.example.net.' },
});

function assertDelegationSigner(digestType: number, digest: Uint8Array): void {
  if (digestType === 0) {
    throw new RdataError(
      'digest type 0 is reserved, and only the CDS "0 0 0 00" has it: use 2 with a digest of 32 octets',
      'data',
      'digestType',
    );
  }
  if (digest.length === 0)
    throw new RdataError('the digest is empty: BIND refuses such a zone, give at least one octet', 'data', 'digest');
  assertDigest(digest, DIGEST_LENGTHS.get(digestType), 'digest');
}

function assertPublicKey(algorithm: number, key: Uint8Array): void {
  if (algorithm === 0) {
    const message = 'algorithm 0 asks the parent to end DNSSEC: write the whole record as 0 3 0 AA==';
    throw new RdataError(message, 'data', 'algorithm');
  }
  if (PRIVATE_ALGORITHMS.has(algorithm)) {
    const message = `algorithm ${algorithm} is private: use one that every name server knows, such as 13`;
    throw new RdataError(message, 'data', 'algorithm');
  }
  const length = KEY_LENGTHS.get(algorithm) ?? key.length;
  if (key.length !== length) {
    const message = `the key has ${key.length} octets: keys of algorithm ${algorithm} have ${length}`;
    throw new RdataError(message, 'data', 'publicKey');
  }
}
