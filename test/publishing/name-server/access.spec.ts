import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Clock } from '../../../src/common/clock.js';
import { DomainName } from '../../../src/dns/name.js';
import { SOA } from '../../../src/dns/rdata/index.js';
import { MetaType, Rcode } from '../../../src/dns/message/codes.js';
import { readMessage } from '../../../src/dns/message/message-reader.js';
import { TsigClient, TsigError } from '../../../src/dns/message/tsig/tsig-client.js';
import type { TsigKey } from '../../../src/dns/message/tsig/tsig-key.js';
import { type Asked, ask, queryOf, rcodeOf, sendDatagram, transfer, unixTime } from '../../support/dns-client.js';
import { addresses, MemoryZones } from '../../support/memory-zones.js';
import { KEY, startNameServer, type TestNameServer, tsigKey } from '../../support/name-server.js';

const NAME = 'example.org.';
const SOA_QUERY: Asked = { name: NAME, type: SOA.code };
const OTHER_KEY = { ...KEY, name: 'other.' } as const;
const STRONG_KEY = { name: 'strong.', algorithm: 'hmac-sha512', secret: Buffer.alloc(64, 7) } as const;

const NOW = Date.UTC(2026, 10, 22) / 1000;
const HELD: Clock = { now: () => NOW * 1_000_000 };

describe('12.1 query permissions (attack case 95)', () => {
  const zones = new MemoryZones();
  let server: TestNameServer;
  beforeAll(async () => {
    zones.put(NAME, 7, addresses(NAME, 10));
    const access = [
      { network: '127.0.0.2', key: null },
      { network: '127.0.0.0/24', key: KEY.name },
      { network: '127.0.1.0/24', key: STRONG_KEY.name },
    ];
    server = await startNameServer(zones, { access, keys: [KEY, OTHER_KEY, STRONG_KEY] });
  });
  afterAll(() => server.stop());

  const from = (localAddress: string) => ({ ...server, localAddress });

  it('is decided by the address alone where no key is asked for', async () => {
    expect(rcodeOf(await ask(from('127.0.0.2'), SOA_QUERY))).toBe('NOERROR');
    expect(rcodeOf(await ask(from('127.0.0.3'), SOA_QUERY))).toBe('REFUSED');
    expect(await signed(from('127.0.0.2'), tsigKey(OTHER_KEY))).toBe('NOERROR');
  });

  it('is decided by address and key where both are asked for', async () => {
    expect(await signed(from('127.0.0.1'), tsigKey())).toBe('NOERROR');
    expect(await signed(from('127.0.1.1'), tsigKey(STRONG_KEY))).toBe('NOERROR');
    // Answered with the signature of a key that is known, since BIND would not read the refusal otherwise.
    expect(await signed(from('127.0.0.1'), tsigKey(OTHER_KEY))).toBe('REFUSED');
    expect(await signed(from('127.0.1.1'), tsigKey())).toBe('REFUSED');
  });

  it('is hidden from other clients: every name gets an equal refusal, over UDP and TCP', async () => {
    const asked = zones.asked;
    const types = [SOA.code, MetaType.AXFR, MetaType.IXFR, MetaType.ANY, 1];
    for (const type of types) {
      const [there, missing] = await Promise.all(
        [NAME, 'example.com.'].map((name) => sendDatagram(from('127.0.0.1'), queryOf({ name, type }))),
      );
      expect(hideName(there!)).toEqual(hideName(missing!));
      expect(rcodeOf(readMessage(there!))).toBe('REFUSED');
      const overTcp = await transfer(from('127.0.0.1'), { name: NAME, type });
      expect(overTcp.messages.map(rcodeOf)).toEqual(['REFUSED']);
    }
    expect(zones.asked).toBe(asked);
  });

  it('is equal over a dual-stack socket', async () => {
    const both = await startNameServer(zones, {
      listen: { host: '::', port: 0 },
      access: [
        { network: '127.0.0.1', key: null },
        { network: '::1', key: null },
      ],
    });
    try {
      for (const address of ['127.0.0.1', '::1'])
        expect(rcodeOf(await ask({ port: both.port, address }, SOA_QUERY))).toBe('NOERROR');
      expect(rcodeOf(await ask({ port: both.port, localAddress: '127.0.0.2' }, SOA_QUERY))).toBe('REFUSED');
    } finally {
      await both.stop();
    }
  });
});

describe('12.1 a signature that is wrong', () => {
  const zones = new MemoryZones();
  let server: TestNameServer;
  beforeAll(async () => {
    zones.put(NAME, 7, addresses(NAME, 10));
    server = await startNameServer(zones, { clock: HELD });
  });
  afterAll(() => server.stop());

  it.each([
    ['BADKEY', 'of a name that is not known', { ...tsigKey(), name: DomainName.parse('unknown.') }, NOW],
    ['BADKEY', 'of another algorithm', { ...tsigKey(), algorithm: 'hmac-sha384' }, NOW],
    ['BADSIG', 'of another secret', { ...tsigKey(), secret: Buffer.alloc(32) }, NOW],
    ['BADTIME', 'of ten minutes ago', tsigKey(), NOW - 600],
    ['BADTIME', 'of ten minutes from now', tsigKey(), NOW + 600],
  ] as [string, string, TsigKey, number][])('is answered NOTAUTH, %s, for one %s', async (error, _, key, time) => {
    const client = new TsigClient(key, () => time);
    const octets = (await sendDatagram(server, client.sign(queryOf(SOA_QUERY))))!;
    const message = readMessage(octets);
    expect(rcodeOf(message)).toBe('NOTAUTH');
    expect(message.tsig?.error).toBe(Rcode[error as keyof typeof Rcode]);
    // Only clients with the secret get a signed response (RFC 8945 §5.2).
    expect(message.tsig!.mac.length).toBe(error === 'BADTIME' ? 32 : 0);
    expect(() => client.verify(octets, message)).toThrow(TsigError);
  });

  it('is answered NOTAUTH, BADTRUNC, and signed, for a MAC that was cut', async () => {
    const client = new TsigClient(tsigKey(), () => NOW);
    const octets = (await sendDatagram(server, withMacOf(16, client.sign(queryOf(SOA_QUERY)))))!;
    const message = readMessage(octets);
    expect([rcodeOf(message), message.tsig?.error, message.tsig?.mac.length]).toEqual(['NOTAUTH', Rcode.BADTRUNC, 32]);
  });

  it('is answered FORMERR for a MAC of a length that none has', async () => {
    const client = new TsigClient(tsigKey(), () => NOW);
    expect(rcodeOf(await ask(server, withMacOf(9, client.sign(queryOf(SOA_QUERY)))))).toBe('FORMERR');
  });

  it('does not matter to the answer where it is good', async () => {
    const client = new TsigClient(tsigKey(), () => NOW - 299);
    const octets = (await sendDatagram(server, client.sign(queryOf(SOA_QUERY))))!;
    expect(rcodeOf(readMessage(octets))).toBe('NOERROR');
  });
});

/** The RCODE of the answer, whose signature is verified. */
async function signed(place: Parameters<typeof ask>[0], key: TsigKey): Promise<string> {
  const client = new TsigClient(key, unixTime);
  const octets = (await sendDatagram(place, client.sign(queryOf(SOA_QUERY))))!;
  const message = readMessage(octets);
  client.verify(octets, message);
  return rcodeOf(message);
}

/** Names of the same length differ in these octets only. */
function hideName(octets: Buffer): Buffer {
  return Buffer.concat([octets.subarray(0, 12), octets.subarray(12 + 13)]);
}

/** The message with the first octets of its MAC alone (RFC 8945 §5.2.2.1). */
function withMacOf(length: number, octets: Buffer): Buffer {
  const tsig = readMessage(octets).tsig!;
  const cut = tsig.mac.length - length;
  const at = octets.indexOf(tsig.mac);
  const shorter = Buffer.concat([octets.subarray(0, at + length), octets.subarray(at + tsig.mac.length)]);
  shorter.writeUInt16BE(length, at - 2);
  const rdlength = tsig.start + tsig.keyName.wire.length + 8;
  shorter.writeUInt16BE(octets.readUInt16BE(rdlength) - cut, rdlength);
  return shorter;
}
