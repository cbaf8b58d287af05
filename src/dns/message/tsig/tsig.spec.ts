import { describe, expect, it } from '@jest/globals';

import { AXFR_QUERY, query, soaRecord } from '../../../../test/support/messages.js';
import { KEY, NOW, signedQuery } from '../../../../test/support/tsig.js';
import { DomainName } from '../../name.js';
import { responseHeader } from '../header.js';
import { MessageError } from '../message.js';
import { readMessage, readRequest } from '../message-reader.js';
import { KeySigner, type MessageSigner } from './message-signer.js';
import { writeMessage } from '../message-writer.js';
import { Rcode, rcodeName } from '../codes.js';
import { TransferResponse } from '../transfer-response.js';
import { TransferWriter } from '../transfer-writer.js';
import { TsigClient, TsigError } from './tsig-client.js';
import { macLength, TSIG_ALGORITHMS, type TsigKey, TsigKeys } from './tsig-key.js';
import { type TsigRecord, tsigOctets } from './tsig-record.js';
import { type TsigVerdict, verifyRequest } from './tsig-request.js';

const KEYS = new TsigKeys([KEY]);
const OTHER_KEY: TsigKey = { ...KEY, name: DomainName.parse('other.') };

describe.each(TSIG_ALGORITHMS)('an exchange that is signed with %s', (algorithm) => {
  const key = { ...KEY, algorithm, secret: Buffer.alloc(macLength(algorithm), algorithm) };
  const keys = new TsigKeys([OTHER_KEY, key]);

  it('is verified on both sides, message by message', () => {
    const client = new TsigClient(key, () => NOW);
    const request = client.sign(AXFR_QUERY);
    const verdict = verified(request, keys);
    expect(verdict).toMatchObject({ isValid: true, key });
    for (const message of transferTo(request, verdict.signer)) client.verify(message, readMessage(message));
  });

  it('is broken by a message that is missing, repeated or changed', () => {
    const request = new TsigClient(key, () => NOW);
    const messages = transferTo(request.sign(AXFR_QUERY), verified(signedQuery(key), keys).signer);
    expect(messages.length).toBeGreaterThan(2);
    const changed = Buffer.from(messages[1]!);
    changed[100]! ^= 1;
    for (const next of [messages[2]!, messages[0]!, changed]) {
      const client = new TsigClient(key, () => NOW);
      client.sign(AXFR_QUERY);
      client.verify(messages[0]!, readMessage(messages[0]!));
      expect(codeOf(() => client.verify(next, readMessage(next)))).toBe(Rcode.BADSIG);
    }
  });
});

describe('verifyRequest', () => {
  it('ignores a request without a signature', () => {
    expect(verifyRequest(AXFR_QUERY, readRequest(AXFR_QUERY), KEYS, () => NOW)).toBeNull();
  });

  it('ignores the case of names, and accepts a message with a rewritten id (RFC 8945 §5.3)', () => {
    const shouted = { ...KEY, name: DomainName.parse('TRANSFER.example.ORG.') };
    const request = signedQuery(shouted);
    request.writeUInt16BE(1, 0);
    expect(verified(request)).toMatchObject({ isValid: true, key: KEY });
  });

  it.each([
    ['BADKEY', 'a key that is not known', signedQuery(OTHER_KEY)],
    ['BADKEY', 'a known key with another algorithm', signedQuery({ ...KEY, algorithm: 'hmac-sha512' })],
    ['BADSIG', 'another secret', signedQuery({ ...KEY, secret: Buffer.alloc(32) })],
    ['BADSIG', 'a message that was changed', changed(signedQuery(), 3)],
    ['BADSIG', 'a MAC that was changed', changed(signedQuery(), AXFR_QUERY.length + 70)],
    ['BADSIG', 'a MAC that was cut and changed', truncated(16, 1)],
  ] as const)('answers %s for %s, unsigned', (error, _, request) => {
    const verdict = verified(request);
    expect(verdict).toMatchObject({ isValid: false, error: Rcode[error] });
    const { tsig } = refusedBy(verdict, request);
    expect(tsig).toMatchObject({ error: Rcode[error], originalId: 4711, otherData: new Uint8Array() });
    expect(tsig!.mac).toHaveLength(0);
    expect(tsig!.keyName.equals(readMessage(request).tsig!.keyName)).toBe(true);
  });

  it.each([-301, 301])('answers BADTIME with its own time, signed, to a clock that is %i s off', (off) => {
    const client = new TsigClient(KEY, () => NOW + off);
    const request = client.sign(AXFR_QUERY);
    const verdict = verified(request);
    expect(verdict).toMatchObject({ isValid: false, error: Rcode.BADTIME });
    const { message, tsig, octets } = refusedBy(verdict, request);
    expect(tsig).toMatchObject({ error: Rcode.BADTIME, timeSigned: NOW + off });
    const error = errorOf(() => client.verify(octets, message));
    expect(error).toMatchObject({ code: Rcode.BADTIME, serverTime: NOW });
    expect(error.message).toContain('BADTIME');
  });

  it.each([-300, 0, 300])('accepts a request from a clock that is %i s off', (off) => {
    expect(verified(signedQuery(KEY, () => NOW + off)).isValid).toBe(true);
  });

  it.each([16, 31])('answers BADTRUNC, signed, for a right MAC that was cut to %i octets', (length) => {
    const request = truncated(length);
    const verdict = verified(request);
    expect(verdict).toMatchObject({ isValid: false, error: Rcode.BADTRUNC });
    expect(refusedBy(verdict, request).tsig!.mac).toHaveLength(32);
  });

  it.each([0, 9, 15, 33])('refuses a MAC of %i octets as malformed (RFC 8945 §5.2.2.1)', (length) => {
    const request = truncated(length);
    expect(() => verified(request)).toThrow(MessageError);
  });

  it('knows a key by its name and algorithm', () => {
    const [sha256, sha512] = [KEY, { ...KEY, algorithm: 'hmac-sha512' as const }];
    const both = new TsigKeys([sha256, sha512]);
    for (const key of [sha256, sha512]) expect(verified(signedQuery(key), both)).toMatchObject({ isValid: true, key });
  });
});

describe('TsigClient', () => {
  it.each<readonly [string, string, (request: Buffer) => Buffer]>([
    ['BADSIG', 'an answer without signature', () => answerTo()],
    ['BADKEY', 'an answer of another key', (request) => answerTo(signerFor(request, OTHER_KEY))],
    ['BADSIG', 'an answer to another request', () => answerTo(new KeySigner(KEY, () => NOW, new Uint8Array(32)))],
    ['BADTIME', 'an answer of another time', (request) => answerTo(signerFor(request, KEY, NOW + 301))],
    ['BADKEY', 'a refusal of the key', (request) => answerTo(verified(request, new TsigKeys([])).signer)],
    ['BADSIG', 'a refusal of the signature', (request) => answerTo(verified(request, otherSecret()).signer)],
  ])('says %s to %s', (error, _, answer) => {
    const client = new TsigClient(KEY, () => NOW);
    const octets = answer(client.sign(query(6)));
    expect(rcodeName(codeOf(() => client.verify(octets, readMessage(octets))))).toBe(error);
  });

  it('accepts a signed answer with any RCODE', () => {
    const client = new TsigClient(KEY, () => NOW);
    const octets = answerTo(signerFor(client.sign(query(6)), KEY));
    expect(() => client.verify(octets, readMessage(octets))).not.toThrow();
  });
});

it('signs times behind 2106, which have more than 32 bits', () => {
  const late = 2 ** 32 + 5;
  const { tsig } = readMessage(signedQuery(KEY, () => late));
  expect(tsig!.timeSigned).toBe(late);
});

function verified(octets: Buffer, keys = KEYS): TsigVerdict {
  const verdict = verifyRequest(octets, readRequest(octets), keys, () => NOW);
  if (verdict === null) throw new Error('the request is not signed');
  return verdict;
}

/** The answer of a server that refuses the signature. */
function refusedBy(verdict: TsigVerdict, request: Buffer) {
  const header = responseHeader(readMessage(request).header, Rcode.NOTAUTH);
  const octets = verdict.signer.sign(writeMessage({ header }));
  const message = readMessage(octets);
  return { octets, message, tsig: message.tsig };
}

function answerTo(signer?: MessageSigner): Buffer {
  const octets = query(6, { header: responseHeader(readMessage(AXFR_QUERY).header, Rcode.REFUSED) });
  return signer ? signer.sign(octets) : octets;
}

function signerFor(request: Buffer, key: TsigKey, now = NOW): MessageSigner {
  return new KeySigner(key, () => now, readMessage(request).tsig!.mac);
}

function otherSecret(): TsigKeys {
  return new TsigKeys([{ ...KEY, secret: Buffer.alloc(32) }]);
}

/** The messages of a small zone. */
function transferTo(request: Buffer, signer: MessageSigner): Buffer[] {
  const writer = new TransferWriter(DomainName.parse('example.org.'), 1_000);
  const soa = soaRecord(1);
  const records = Array.from({ length: 60 }, (_, at) => ({ ...soa, owner: DomainName.parse(`n${at}.example.org.`) }));
  const sections = records.flatMap(({ owner, type, ttl, rdata }) => writer.add(owner, type, ttl, rdata) ?? []);
  const response = new TransferResponse(readRequest(request), signer);
  return [...sections, writer.finish()].map((section) => response.datagram(section));
}

function changed(octets: Buffer, at: number): Buffer {
  octets[at]! ^= 1;
  return octets;
}

/** The signed query with its MAC cut to a length, or lengthened, and perhaps changed. */
function truncated(length: number, change = 0): Buffer {
  const octets = signedQuery();
  const tsig: TsigRecord = readMessage(octets).tsig!;
  const mac = Buffer.alloc(length);
  mac.set(tsig.mac.subarray(0, length));
  if (length > 0) mac[0]! ^= change;
  return Buffer.concat([octets.subarray(0, tsig.start), tsigOctets({ ...tsig, mac })]);
}

function errorOf(verify: () => unknown): TsigError {
  try {
    verify();
  } catch (error) {
    if (error instanceof TsigError) return error;
    throw error;
  }
  throw new Error('the signature was taken');
}

function codeOf(verify: () => unknown): number {
  return errorOf(verify).code;
}
