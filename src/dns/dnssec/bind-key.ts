import { createPrivateKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { DomainName } from '../name.js';
import { signingAlgorithm } from './algorithms.js';
import { dnskeyRdata, keyTag, readDnskey } from './dnskey.js';

export interface BindKey {
  readonly name: string;
  readonly publicText: string;
  /** `.private`, version 1.3. */
  readonly privateText: string;
}

export interface ReadKey {
  readonly owner: DomainName;
  readonly dnskey: Uint8Array;
  readonly privateKey: KeyObject;
}

/** Invalid key files, or files of two different keys. */
export class KeyFileError extends Error {}

const FORMAT = 'Private-key-format';
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

export function writeBindKey(owner: DomainName, dnskey: Uint8Array, privateKey: KeyObject): BindKey {
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
  };
}

export function readBindKey(publicText: string, privateText: string): ReadKey {
  const { owner, dnskey } = readPublic(publicText);
  const { algorithm, publicField } = readDnskey(dnskey);
  const fields = new Map(
    privateText.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );
  if (!/^v1\.[0-9]+$/.test(fields.get(FORMAT) ?? '')) throw new KeyFileError(`the .private file lacks ${FORMAT}: v1.3`);
  if (Number(fields.get('Algorithm')?.split(' ')[0]) !== algorithm)
    throw new KeyFileError('the two files have different algorithms');
  const parts = partsOf(algorithm).map(([name, part]) => [part, toBase64Url(fields.get(name) ?? '')]);
  const publicKey = signingAlgorithm(algorithm).publicKeyOf(publicField);
  const publicJwk = publicKey.export({ format: 'jwk' });
  const privateKey = fromJwk({ ...publicJwk, ...(Object.fromEntries(parts) as JsonWebKey) });
  if (!isPair(algorithm, privateKey, publicKey)) throw new KeyFileError('the two files belong to different keys');
  return { owner, dnskey, privateKey };
}

/** OpenSSL does not check that the public key matches. */
function isPair(algorithm: number, privateKey: KeyObject, publicKey: KeyObject): boolean {
  const signing = signingAlgorithm(algorithm);
  const data = Buffer.from('any');
  return signing.verify(data, publicKey, signing.sign(data, privateKey));
}

function readPublic(text: string): Pick<ReadKey, 'owner' | 'dnskey'> {
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
      owner: DomainName.parse(name),
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
