import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type JsonWebKey,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { promisify } from 'node:util';

const makeKeys = promisify(generateKeyPair);

/** IANA, DNS Security Algorithm Numbers. */
export interface SigningAlgorithm {
  readonly number: number;
  readonly mnemonic: string;
  /** Runs in a thread: an RSA key takes a third of a second. */
  newPrivateKey(): Promise<KeyObject>;
  publicField(key: KeyObject): Uint8Array;
  /** @throws Error for an invalid public key */
  publicKeyOf(field: Uint8Array): KeyObject;
  sign(data: Uint8Array, key: KeyObject): Uint8Array;
  verify(data: Uint8Array, key: KeyObject, signature: Uint8Array): boolean;
}

const RSA_BITS = 2048;
const P256_OCTETS = 32;

/** RFC 5702: PKCS #1 v1.5. */
const RSASHA256: SigningAlgorithm = {
  number: 8,
  mnemonic: 'RSASHA256',
  newPrivateKey: async () => (await makeKeys('rsa', { modulusLength: RSA_BITS, publicExponent: 65_537 })).privateKey,
  publicField(key) {
    const { n, e } = publicJwkOf(key);
    const [modulus, exponent] = [octetsOf(n), octetsOf(e)];
    // RFC 3110 §2: one length octet is enough for all exponents in use.
    return Uint8Array.from([exponent.length, ...exponent, ...modulus]);
  },
  publicKeyOf(field) {
    const length = field[0] ?? 0;
    if (length === 0) throw new Error('the RSA key has an exponent of more than 255 octets');
    const [e, n] = [field.subarray(1, 1 + length), field.subarray(1 + length)];
    return fromJwk({ kty: 'RSA', n: textOf(n), e: textOf(e) });
  },
  sign: (data, key) => sign('sha256', data, key),
  verify: (data, key, signature) => verify('sha256', data, key, signature),
};

/** RFC 6605 §4: key and signature are two zero-padded numbers of 32 octets, without DER. */
const ECDSAP256SHA256: SigningAlgorithm = {
  number: 13,
  mnemonic: 'ECDSAP256SHA256',
  newPrivateKey: async () => (await makeKeys('ec', { namedCurve: 'P-256' })).privateKey,
  publicField(key) {
    const { x, y } = publicJwkOf(key);
    return Uint8Array.from([...octetsOf(x), ...octetsOf(y)]);
  },
  publicKeyOf(field) {
    if (field.length !== 2 * P256_OCTETS) throw new Error('the key does not have 64 octets');
    const [x, y] = [field.subarray(0, P256_OCTETS), field.subarray(P256_OCTETS)];
    return fromJwk({ kty: 'EC', crv: 'P-256', x: textOf(x), y: textOf(y) });
  },
  sign: (data, key) => sign('sha256', data, { key, dsaEncoding: 'ieee-p1363' }),
  verify: (data, key, signature) => verify('sha256', data, { key, dsaEncoding: 'ieee-p1363' }, signature),
};

/** RFC 8080. */
const ED25519: SigningAlgorithm = {
  number: 15,
  mnemonic: 'ED25519',
  newPrivateKey: async () => (await makeKeys('ed25519', undefined)).privateKey,
  publicField: (key) => octetsOf(publicJwkOf(key).x),
  publicKeyOf: (field) => fromJwk({ kty: 'OKP', crv: 'Ed25519', x: textOf(field) }),
  sign: (data, key) => sign(null, data, key),
  verify: (data, key, signature) => verify(null, data, key, signature),
};

export const SIGNING_ALGORITHMS: readonly SigningAlgorithm[] = [RSASHA256, ECDSAP256SHA256, ED25519];

const BY_NUMBER = new Map(SIGNING_ALGORITHMS.map((algorithm) => [algorithm.number, algorithm]));

export function signingAlgorithm(number: number): SigningAlgorithm {
  const algorithm = BY_NUMBER.get(number);
  if (algorithm === undefined) throw new Error(`DNSSEC algorithm ${number} is not supported`);
  return algorithm;
}

export function privateKeyOctets(key: KeyObject): Buffer {
  return key.export({ format: 'der', type: 'pkcs8' });
}

export function privateKeyOf(octets: Buffer): KeyObject {
  return createPrivateKey({ key: octets, format: 'der', type: 'pkcs8' });
}

function publicJwkOf(key: KeyObject): JsonWebKey {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return publicKey.export({ format: 'jwk' });
}

function fromJwk(key: JsonWebKey): KeyObject {
  return createPublicKey({ key, format: 'jwk' });
}

function octetsOf(text: string | undefined): Uint8Array {
  if (text === undefined) throw new Error('the key does not match its algorithm');
  return Buffer.from(text, 'base64url');
}

function textOf(octets: Uint8Array): string {
  return Buffer.from(octets).toString('base64url');
}
