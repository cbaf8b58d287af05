import { createPrivateKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { DomainName } from '../name.js';
import { signingAlgorithm } from './algorithms.js';
import { dnskeyRdata, keyTag, readDnskey } from './dnskey.js';

export interface KeyFiles {
  /** As BIND names them, without extension. */
  readonly name: string;
  /** `.key`: the DNSKEY record. */
  readonly publicText: string;
  /** `.private` of BIND, version 1.3. */
  readonly privateText: string;
  /** `.pem`: PKCS #8, as Knot keeps keys (RFC 5958). */
  readonly pemText: string;
}

export interface ReadKey {
  readonly owner: DomainName;
  readonly dnskey: Uint8Array;
  readonly privateKey: KeyObject;
}

/** Invalid key files, or files of two different keys. */
export class KeyFileError extends Error {}

const FORMAT = 'Private-key-format';
const PEM = '-----BEGIN ';
/** Field names in file order, with their JWK names. */
const RSA_PARTS = [
  ['Modulus', 'n'],
  ['PublicExponent', 'e'],
  ['PrivateExponent', 'd'],
  ['Prime1', 'p'],
  ['Prime2', 'q'],
  ['Exponent1', 'dp'],
  ['Exponent2', 'dq'],
  ['Coefficient', 'qi'],
] as const;
const SECRET_PARTS = [['PrivateKey', 'd']] as const;

export function writeKeyFiles(owner: DomainName, dnskey: Uint8Array, privateKey: KeyObject): KeyFiles {
  const { flags, algorithm, publicField } = readDnskey(dnskey);
  const number = String(algorithm).padStart(3, '0');
  const tag = String(keyTag(dnskey)).padStart(5, '0');
  const zone = owner.canonical.toString();
  const { mnemonic } = signingAlgorithm(algorithm);
  const jwk = privateKey.export({ format: 'jwk' });
  const lines = partsOf(algorithm).map(([name, part]) => `${name}: ${base64Of(jwk[part])}`);
  return {
    name: `K${zone}+${number}+${tag}`,
    publicText: `${zone} IN DNSKEY ${flags} 3 ${algorithm} ${Buffer.from(publicField).toString('base64')}\n`,
    privateText: [`${FORMAT}: v1.3`, `Algorithm: ${algorithm} (${mnemonic})`, ...lines, ''].join('\n'),
    pemText: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  };
}

/**
 * @param publicText DNSKEY record, as BIND, PowerDNS, Knot and OpenDNSSEC print it
 * @param privateText `.private` of BIND or PowerDNS, or PEM
 * @throws KeyFileError
 */
export function readKeyFiles(publicText: string, privateText: string): ReadKey {
  const { owner, dnskey } = readDnskeyRecord(publicText);
  const { algorithm, publicField } = readDnskey(dnskey);
  const publicKey = publicKeyOf(algorithm, publicField);
  const privateKey = privateText.includes(PEM)
    ? readPem(privateText)
    : readPrivateFields(privateText, algorithm, publicKey);
  if (!isPair(algorithm, privateKey, publicKey)) throw new KeyFileError('the two files belong to different keys');
  return { owner, dnskey, privateKey };
}

function publicKeyOf(algorithm: number, publicField: Uint8Array): KeyObject {
  try {
    return signingAlgorithm(algorithm).publicKeyOf(publicField);
  } catch (error) {
    throw new KeyFileError(
      `the DNSKEY record cannot be used: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function readPem(text: string): KeyObject {
  try {
    return createPrivateKey(text);
  } catch {
    throw new KeyFileError(
      'the PEM file has no private key that can be read; decrypt a key with a passphrase first: openssl pkey -in FILE',
    );
  }
}

function readPrivateFields(text: string, algorithm: number, publicKey: KeyObject): KeyObject {
  const fields = new Map(
    text.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );
  if (!/^v1\.[0-9]+$/.test(fields.get(FORMAT) ?? ''))
    throw new KeyFileError(`the private file has neither ${FORMAT}: v1.3 nor a key in PEM`);
  if (Number(fields.get('Algorithm')?.split(' ')[0]) !== algorithm)
    throw new KeyFileError('the two files have different algorithms');
  const parts = partsOf(algorithm).map(([name, part]) => [part, toBase64Url(fields.get(name) ?? '')]);
  const publicJwk = publicKey.export({ format: 'jwk' });
  return fromJwk({ ...publicJwk, ...(Object.fromEntries(parts) as JsonWebKey) });
}

/** OpenSSL does not check that the public key matches. */
function isPair(algorithm: number, privateKey: KeyObject, publicKey: KeyObject): boolean {
  const signing = signingAlgorithm(algorithm);
  const data = Buffer.from('any');
  try {
    return signing.verify(data, publicKey, signing.sign(data, privateKey));
  } catch {
    // A private key of another algorithm.
    return false;
  }
}

/** The first record. @throws KeyFileError */
export function readDnskeyRecord(text: string): Pick<ReadKey, 'owner' | 'dnskey'> {
  const line = text
    .split('\n')
    .map((one) => one.replace(/;.*/, '').trim())
    .find((one) => one !== '');
  const [, name = '', flags, algorithm, key] =
    /^(\S+)(?:\s+\d+)?(?:\s+IN)?\s+DNSKEY\s+(\d+)\s+3\s+(\d+)\s+([A-Za-z0-9+/=\s]+)$/i.exec(line ?? '') ?? [];
  if (key === undefined) throw new KeyFileError('the .key file has no DNSKEY record');
  const publicField = Buffer.from(key.replace(/\s/g, ''), 'base64');
  try {
    return {
      // PowerDNS prints the owner name without final dot.
      owner: DomainName.parse(name.endsWith('.') ? name : `${name}.`),
      dnskey: dnskeyRdata({ flags: Number(flags), algorithm: Number(algorithm), publicField }),
    };
  } catch (error) {
    throw new KeyFileError(error instanceof Error ? error.message : String(error));
  }
}

function partsOf(algorithm: number): readonly (readonly [name: string, part: keyof JsonWebKey])[] {
  return signingAlgorithm(algorithm).mnemonic.startsWith('RSA') ? RSA_PARTS : SECRET_PARTS;
}

function fromJwk(key: JsonWebKey): KeyObject {
  try {
    return createPrivateKey({ key, format: 'jwk' });
  } catch {
    throw new KeyFileError('the .private file does not belong to the key');
  }
}

function base64Of(part: unknown): string {
  return Buffer.from(typeof part === 'string' ? part : '', 'base64url').toString('base64');
}

function toBase64Url(text: string): string {
  return Buffer.from(text, 'base64').toString('base64url');
}
