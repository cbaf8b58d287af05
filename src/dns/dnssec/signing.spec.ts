import { createPublicKey } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { DomainName } from '../name.js';
import { privateKeyOctets, privateKeyOf, SIGNING_ALGORITHMS, signingAlgorithm } from './algorithms.js';
import { canonicalRdata, rdataInSignedZone } from './canonical-rdata.js';
import { chainKind, typesIn } from './denial.js';
import {
  DIGEST_TYPES,
  dnskeyRdata,
  dsRdata,
  keyTag,
  readDnskey,
  SECURE_ENTRY_POINT,
  PublishedKey,
  SigningKey,
} from './dnskey.js';
import { isSignatureOf, readRrsig, signSet } from './rrsig.js';
import type { WireSet } from './wire-set.js';

const APEX = DomainName.parse('example.net.');
const VALIDITY = { inception: 1_281_607_479, expiration: 1_284_026_679 };

function dnskey(flags: number, algorithm: number, base64: string): Uint8Array {
  return dnskeyRdata({ flags, algorithm, publicField: Buffer.from(base64, 'base64') });
}

function setOf(owner: string, type: number, ttl: number, ...rdatas: (readonly number[])[]): WireSet {
  return { owner: DomainName.parse(owner), type, ttl, rdatas: rdatas.map((rdata) => Uint8Array.from(rdata)) };
}

describe('published examples', () => {
  /** RFC 6605 §6.1. */
  const P256 = dnskey(
    257,
    13,
    'GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edbkrSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA==',
  );
  const P256_SIGNATURE = 'qx6wLYqmh+l9oCKTN6qIc+bw6ya+KJ8oMz0YP107epXAyGmt+3SNruPFKG7tZoLBLlUzGGus7ZwmwWep666VCw==';
  /** RFC 8080 §6.1. */
  const ED25519 = dnskey(257, 15, 'l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=');

  it('RFC 6605 §6.1: key tag, DS and signature of ECDSA P-256', () => {
    expect(keyTag(P256)).toBe(55_648);
    const ds = Buffer.from(dsRdata(APEX, P256, DIGEST_TYPES.SHA256));
    expect(ds.subarray(4).toString('hex')).toBe('b4c8c1fe2e7477127b27115656ad6256f424625bf5c1e2770ce6d6e37df61d17');
    const set = setOf('www.example.net.', 1, 3600, [192, 0, 2, 1]);
    const head = Buffer.from('00010d0300000e10', 'hex');
    const times = Buffer.alloc(10);
    times.writeUInt32BE(Date.UTC(2010, 8, 9, 10, 4, 39) / 1000, 0);
    times.writeUInt32BE(Date.UTC(2010, 7, 12, 10, 4, 39) / 1000, 4);
    times.writeUInt16BE(55_648, 8);
    const rrsig = Buffer.concat([head, times, APEX.wire, Buffer.from(P256_SIGNATURE, 'base64')]);
    const key = new PublishedKey(P256);
    expect(isSignatureOf(rrsig, set, key, APEX)).toBe(true);
    expect(isSignatureOf(rrsig, { ...set, ttl: 300 }, key, APEX)).toBe(false);
  });

  it('RFC 8080 §6.1: key tag and DS of Ed25519', () => {
    const apex = DomainName.parse('example.com.');
    expect(keyTag(ED25519)).toBe(3613);
    const ds = Buffer.from(dsRdata(apex, ED25519, DIGEST_TYPES.SHA256));
    expect(ds.subarray(4).toString('hex')).toBe('3aa5ab37efce57f737fc1627013fee07bdf241bd10f3b1964ab55c78e79a304b');
  });

  it('RFC 5155 App. A: without salt and iterations the hash is the one of RFC 9276', () => {
    // dnssec-tools: nsec3hash - 1 0 example.
    const owner = chainKind('nsec3').ownerOf(DomainName.parse('Example.'), DomainName.parse('example.'));
    expect(owner.toString()).toBe('3msev9usmd4br9s97v51r2tdvmr9iqo1.example.');
  });
});

const KEYS = await Promise.all(
  SIGNING_ALGORITHMS.map(
    async ({ mnemonic, number, newPrivateKey }) =>
      [mnemonic, number, await newPrivateKey(), await newPrivateKey()] as const,
  ),
);

describe.each(KEYS)('%s', (_, number, privateKey, another) => {
  const algorithm = signingAlgorithm(number);
  const rdata = dnskeyRdata({
    flags: SECURE_ENTRY_POINT,
    algorithm: number,
    publicField: algorithm.publicField(privateKey),
  });

  it('signs so that only its own DNSKEY verifies', () => {
    const key = new SigningKey(rdata, privateKey);
    const set = setOf('*.example.net.', 16, 60, [1, 65], [1, 64]);
    const rrsig = signSet(set, key, APEX, VALIDITY);
    const published = new PublishedKey(rdata);
    expect(isSignatureOf(rrsig, set, published, APEX)).toBe(true);
    expect(readRrsig(rrsig)).toEqual({ type: 16, tag: keyTag(rdata), ...VALIDITY });
    expect(rrsig[3]).toBe(2);
    const others = [
      { ...set, rdatas: set.rdatas.slice(1) },
      { ...set, owner: APEX },
      { ...set, type: 99 },
    ];
    for (const other of others) expect(isSignatureOf(rrsig, other, published, APEX)).toBe(false);
  });

  it('refuses a private key that does not match the published one', () => {
    const key = new SigningKey(rdata, another);
    expect(() => signSet(setOf('example.net.', 16, 60, [0]), key, APEX, VALIDITY)).toThrow(/is wrong/);
  });

  it('restores an equal key from the stored and the published form', () => {
    const again = privateKeyOf(privateKeyOctets(privateKey));
    expect(createPublicKey(again).equals(createPublicKey(privateKey))).toBe(true);
    expect(algorithm.publicKeyOf(readDnskey(rdata).publicField).equals(createPublicKey(privateKey))).toBe(true);
  });
});

it('folds the names of the types of RFC 4034 §6.2 and of no others', () => {
  const name = [...DomainName.parse('A.Example.').wire];
  const folded = [...DomainName.parse('a.example.').wire];
  const cases: [type: number, before: number[], isFolded: boolean][] = [
    [2, [], true],
    [15, [0, 65], true],
    [33, [0, 65, 0, 66, 0, 67], true],
    [35, [0, 65, 0, 66, 1, 83, 0, 2, 65, 66], true],
    [39, [], true],
    [64, [0, 1], false],
    [65, [0, 1], false],
    [47, [], false],
  ];
  for (const [type, before, isFolded] of cases) {
    const result = canonicalRdata(type, Uint8Array.from([...before, ...name]));
    expect([...result]).toEqual([...before, ...(isFolded ? folded : name)]);
  }
});

it.each([
  ['SVCB', 64, true],
  ['HTTPS', 65, true],
  ['SRV, whose names are signed in lower case,', 33, false],
  ['TXT', 16, false],
])('23.4: %s: the letters of a target in a signed zone', (_, type, isFolded) => {
  const [before, after] = [
    Buffer.from('\0\x01\x01A\x02Bc\0\0\x03\0\x02AB'),
    Buffer.from('\0\x01\x01a\x02bc\0\0\x03\0\x02AB'),
  ];
  expect(Buffer.from(rdataInSignedZone(type, before))).toEqual(isFolded ? after : before);
});

it.each(['nsec', 'nsec3'] as const)('reads the RDATA of %s that it has written', (denial) => {
  const kind = chainKind(denial);
  const next = kind.ownerOf(DomainName.parse('next.example.net.'), APEX);
  const bitmap = kind.bitmapOf([1, 16, 257], true);
  const read = kind.read(kind.rdataOf(next, bitmap), APEX);
  expect(read.next.toString()).toBe(next.toString());
  expect(typesIn(read.bitmap)).toEqual(denial === 'nsec' ? [1, 16, 46, 47, 257] : [1, 16, 46, 257]);
});
