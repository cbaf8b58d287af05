/**
 * PKCS #11 values for DNSSEC keys: attributes of key pairs, mechanisms, and public keys in the form of DNSKEY (RFC 3110, 6605,
 * 8080). Numbers are those of PKCS #11 3.0.
 */
import { hash } from 'node:crypto';

export const ATTRIBUTE = {
  CLASS: 0x0000,
  TOKEN: 0x0001,
  PRIVATE: 0x0002,
  LABEL: 0x0003,
  KEY_TYPE: 0x0100,
  ID: 0x0102,
  SENSITIVE: 0x0103,
  SIGN: 0x0108,
  VERIFY: 0x010a,
  MODULUS: 0x0120,
  MODULUS_BITS: 0x0121,
  PUBLIC_EXPONENT: 0x0122,
  EXTRACTABLE: 0x0162,
  EC_PARAMS: 0x0180,
  EC_POINT: 0x0181,
} as const;

export const PUBLIC_KEY = 2;
export const PRIVATE_KEY = 3;
const EXPONENT = Buffer.from([1, 0, 1]);

/** PKCS #1 v1.5 (RFC 8017 §9.2): DER before the digest. */
const SHA256_INFO = Buffer.from('3031300d060960864801650304020105000420', 'hex');
const SHA512_INFO = Buffer.from('3051300d060960864801650304020305000440', 'hex');

const OCTET_STRING = 0x04;
const UNCOMPRESSED = 0x04;

interface TokenAlgorithm {
  /** CK_KEY_TYPE. */
  readonly keyType: number;
  /** CK_MECHANISM_TYPE. */
  readonly pairs: number;
  readonly signs: number;
  /** Of a curve, DER. */
  readonly curve?: Buffer;
  /** Of a signature; of RSA, that of the modulus. */
  readonly octets?: number;
  /** What the token signs. */
  readonly input: (data: Uint8Array) => Buffer;
}

const RSA = { keyType: 0x00, pairs: 0x00, signs: 0x01 };
const ECDSA = { keyType: 0x03, pairs: 0x1040, signs: 0x1041 };
const EDDSA = { keyType: 0x40, pairs: 0x1055, signs: 0x1057, input: (data: Uint8Array): Buffer => Buffer.from(data) };

const ALGORITHMS: Readonly<Record<number, TokenAlgorithm>> = {
  8: { ...RSA, input: (data) => Buffer.concat([SHA256_INFO, hash('sha256', data, 'buffer')]) },
  10: { ...RSA, input: (data) => Buffer.concat([SHA512_INFO, hash('sha512', data, 'buffer')]) },
  13: {
    ...ECDSA,
    curve: Buffer.from('06082a8648ce3d030107', 'hex'),
    octets: 64,
    input: (data) => hash('sha256', data, 'buffer'),
  },
  14: {
    ...ECDSA,
    curve: Buffer.from('06052b81040022', 'hex'),
    octets: 96,
    input: (data) => hash('sha384', data, 'buffer'),
  },
  // RFC 8410 §3 has OIDs; tokens of PKCS #11 3.0 take them too.
  15: { ...EDDSA, curve: Buffer.from('06032b6570', 'hex'), octets: 64 },
  16: { ...EDDSA, curve: Buffer.from('06032b6571', 'hex'), octets: 114 },
};

export function tokenAlgorithm(number: number): TokenAlgorithm {
  const algorithm = ALGORITHMS[number];
  if (algorithm === undefined) throw new Error(`the token cannot have keys of DNSSEC algorithm ${number}`);
  return algorithm;
}

export interface Attribute {
  readonly type: number;
  readonly value?: Buffer | number | boolean | string;
}

/** Attributes of both objects of a new pair. */
export function pairTemplates(
  number: number,
  rsaBits: number,
  { id, label }: { readonly id: Buffer; readonly label: string },
): { readonly publicKey: Attribute[]; readonly privateKey: Attribute[] } {
  const { keyType, curve } = tokenAlgorithm(number);
  const both = [
    { type: ATTRIBUTE.TOKEN, value: true },
    { type: ATTRIBUTE.KEY_TYPE, value: keyType },
    { type: ATTRIBUTE.ID, value: id },
    { type: ATTRIBUTE.LABEL, value: label },
  ];
  const form =
    curve === undefined
      ? [
          { type: ATTRIBUTE.MODULUS_BITS, value: rsaBits },
          { type: ATTRIBUTE.PUBLIC_EXPONENT, value: EXPONENT },
        ]
      : [{ type: ATTRIBUTE.EC_PARAMS, value: curve }];
  return {
    publicKey: [...both, { type: ATTRIBUTE.VERIFY, value: true }, ...form],
    privateKey: [
      ...both,
      { type: ATTRIBUTE.PRIVATE, value: true },
      { type: ATTRIBUTE.SENSITIVE, value: true },
      { type: ATTRIBUTE.EXTRACTABLE, value: false },
      { type: ATTRIBUTE.SIGN, value: true },
    ],
  };
}

/** The attributes that form the public key field of DNSKEY. */
export function publicAttributes(number: number): number[] {
  return tokenAlgorithm(number).curve === undefined
    ? [ATTRIBUTE.MODULUS, ATTRIBUTE.PUBLIC_EXPONENT]
    : [ATTRIBUTE.EC_POINT];
}

/** @param values in the order of `publicAttributes` */
export function publicFieldOf(number: number, [first = Buffer.alloc(0), exponent]: readonly Buffer[]): Uint8Array {
  const { keyType } = tokenAlgorithm(number);
  if (exponent !== undefined) return Uint8Array.from([exponent.length, ...exponent, ...first]);
  const point = withoutDer(first);
  return keyType === ECDSA.keyType && point[0] === UNCOMPRESSED ? point.subarray(1) : point;
}

/** Attributes to find a public key by, in the forms that tokens have. */
export function publicTemplates(number: number, field: Uint8Array): Attribute[] {
  const { keyType, curve } = tokenAlgorithm(number);
  if (curve === undefined)
    return [{ type: ATTRIBUTE.MODULUS, value: Buffer.from(field.subarray(1 + (field[0] ?? 0))) }];
  const point = Buffer.from(keyType === ECDSA.keyType ? [UNCOMPRESSED, ...field] : field);
  return [Buffer.from([OCTET_STRING, point.length, ...point]), point].map((value) => ({
    type: ATTRIBUTE.EC_POINT,
    value,
  }));
}

/** CKA_EC_POINT is an OCTET STRING in DER. Tokens disagree for Edwards curves. */
function withoutDer(value: Buffer): Buffer {
  const isWrapped = value[0] === OCTET_STRING && value[1] === value.length - 2;
  return isWrapped ? value.subarray(2) : value;
}
