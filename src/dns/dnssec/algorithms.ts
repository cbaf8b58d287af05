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
  /** RFC 8624 §3.1 advises against it: only zones that have it already use it. */
  readonly isForImportOnly?: boolean;
  /** Undefined for RSA. */
  readonly curveBits?: number;
  /** Runs in a thread: an RSA key takes a third of a second, one of 4096 bits three. @param rsaBits of an RSA key */
  newPrivateKey(rsaBits?: number): Promise<KeyObject>;
  publicField(key: KeyObject): Uint8Array;
  /** @throws Error for an invalid public key */
  publicKeyOf(field: Uint8Array): KeyObject;
  sign(data: Uint8Array, key: KeyObject): Uint8Array;
  verify(data: Uint8Array, key: KeyObject, signature: Uint8Array): boolean;
}

type Named = Pick<SigningAlgorithm, 'number' | 'mnemonic' | 'isForImportOnly' | 'curveBits'>;

export const RSA_BITS = [2048, 3072, 4096] as const;

/** RFC 5702: PKCS #1 v1.5. */
function rsa(named: Named, hash: 'sha256' | 'sha512'): SigningAlgorithm {
  return {
    ...named,
    newPrivateKey: async (rsaBits = RSA_BITS[0]) =>
      (await makeKeys('rsa', { modulusLength: rsaBits, publicExponent: 65_537 })).privateKey,
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
    sign: (data, key) => sign(hash, data, key),
    verify: (data, key, signature) => verify(hash, data, key, signature),
  };
}

/** RFC 6605 §4: key and signature are two zero-padded numbers without DER. @param octets of each number */
function ecdsa(named: Named, crv: string, octets: number, hash: 'sha256' | 'sha384'): SigningAlgorithm {
  return {
    ...named,
    newPrivateKey: async () => (await makeKeys('ec', { namedCurve: crv })).privateKey,
    publicField(key) {
      const { x, y } = publicJwkOf(key);
      return Uint8Array.from([...octetsOf(x), ...octetsOf(y)]);
    },
    publicKeyOf(field) {
      if (field.length !== 2 * octets) throw new Error(`the key does not have ${2 * octets} octets`);
      const [x, y] = [field.subarray(0, octets), field.subarray(octets)];
      return fromJwk({ kty: 'EC', crv, x: textOf(x), y: textOf(y) });
    },
    sign: (data, key) => sign(hash, data, { key, dsaEncoding: 'ieee-p1363' }),
    verify: (data, key, signature) => verify(hash, data, { key, dsaEncoding: 'ieee-p1363' }, signature),
  };
}

/** RFC 8080. */
function eddsa(named: Named, crv: string, newPrivateKey: () => Promise<KeyObject>): SigningAlgorithm {
  return {
    ...named,
    newPrivateKey,
    publicField: (key) => octetsOf(publicJwkOf(key).x),
    publicKeyOf: (field) => fromJwk({ kty: 'OKP', crv, x: textOf(field) }),
    sign: (data, key) => sign(null, data, key),
    verify: (data, key, signature) => verify(null, data, key, signature),
  };
}

export const SIGNING_ALGORITHMS: readonly SigningAlgorithm[] = [
  rsa({ number: 8, mnemonic: 'RSASHA256' }, 'sha256'),
  rsa({ number: 10, mnemonic: 'RSASHA512', isForImportOnly: true }, 'sha512'),
  ecdsa({ number: 13, mnemonic: 'ECDSAP256SHA256', curveBits: 256 }, 'P-256', 32, 'sha256'),
  ecdsa({ number: 14, mnemonic: 'ECDSAP384SHA384', curveBits: 384 }, 'P-384', 48, 'sha384'),
  eddsa(
    { number: 15, mnemonic: 'ED25519', curveBits: 256 },
    'Ed25519',
    async () => (await makeKeys('ed25519', undefined)).privateKey,
  ),
  eddsa(
    { number: 16, mnemonic: 'ED448', curveBits: 456 },
    'Ed448',
    async () => (await makeKeys('ed448', undefined)).privateKey,
  ),
];

export const ALGORITHMS_OF_NEW_KEYS = SIGNING_ALGORITHMS.filter(({ isForImportOnly }) => isForImportOnly !== true);
export const NAMES_OF_NEW_KEYS = ALGORITHMS_OF_NEW_KEYS.map(({ mnemonic }) => mnemonic);

/** The number of an algorithm of new keys, in any case of its name. */
export function numberForNewKeys(name: string): number | undefined {
  return ALGORITHMS_OF_NEW_KEYS.find(({ mnemonic }) => mnemonic === name.toUpperCase())?.number;
}

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
