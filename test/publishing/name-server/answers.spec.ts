import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ServiceError } from '../../../src/common/service-error.js';
import { SOA } from '../../../src/dns/rdata/index.js';
import { MetaType, RecordClass, Opcode } from '../../../src/dns/message/codes.js';
import { requestHeader, responseHeader } from '../../../src/dns/message/header.js';
import { readMessage } from '../../../src/dns/message/message-reader.js';
import { writeMessage } from '../../../src/dns/message/message-writer.js';
import { TsigClient } from '../../../src/dns/message/tsig/tsig-client.js';
import {
  type Asked,
  ask,
  cookieOption,
  DnsConnection,
  queryOf,
  rcodeOf,
  sendDatagram,
  serialOf,
  transfer,
  unixTime,
} from '../../support/dns-client.js';
import { addresses, MemoryZones } from '../../support/memory-zones.js';
import { KEY, startNameServer, type TestNameServer, tsigKey } from '../../support/name-server.js';

const NAME = 'example.org.';
const SOA_QUERY: Asked = { name: NAME, type: SOA.code };
const LONG_NAME = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.example.`;
const LONG_KEY = {
  name: `${'k'.repeat(60)}.${'l'.repeat(60)}.${'m'.repeat(60)}.`,
  algorithm: 'hmac-sha512',
  secret: Buffer.alloc(64),
} as const;

const zones = new MemoryZones();
let server: TestNameServer;
beforeAll(async () => {
  zones.put(NAME, 7, addresses(NAME, 10));
  zones.put(LONG_NAME, 8, []);
  server = await startNameServer(zones, { keys: [KEY, LONG_KEY] });
});
afterAll(() => server.stop());

describe('12.1 a question', () => {
  it.each([
    ['SOA of a zone', SOA_QUERY, 'NOERROR'],
    ['SOA of a zone in other letters', { name: 'eXample.ORG.', type: SOA.code }, 'NOERROR'],
    ['ANY of a zone', { name: NAME, type: MetaType.ANY }, 'NOERROR'],
    ['another type', { name: NAME, type: 1 }, 'REFUSED'],
    ['a name below a zone', { name: `www.${NAME}`, type: SOA.code }, 'REFUSED'],
    ['a name of no zone', { name: 'example.net.', type: SOA.code }, 'REFUSED'],
    ['another class', { ...SOA_QUERY, class: RecordClass.CH }, 'REFUSED'],
    ['a NOTIFY', { ...SOA_QUERY, opcode: Opcode.NOTIFY }, 'NOTIMP'],
    ['an UPDATE', { ...SOA_QUERY, opcode: Opcode.UPDATE }, 'NOTIMP'],
    ['an unknown opcode', { ...SOA_QUERY, opcode: 15 }, 'NOTIMP'],
    ['a later version of EDNS', { ...SOA_QUERY, edns: { version: 1 } }, 'BADVERS'],
  ] as [string, Asked, string][])('for %s is answered alike over UDP and TCP', async (_, asked, rcode) => {
    const overUdp = await ask(server, asked);
    expect(rcodeOf(overUdp)).toBe(rcode);
    expect(overUdp.answers.map(serialOf)).toEqual(rcode === 'NOERROR' ? [7] : []);
    expect(overUdp.header).toMatchObject({ id: 4711, isAuthoritative: rcode === 'NOERROR', isResponse: true });
    const connection = await DnsConnection.open(server);
    connection.send(queryOf(asked));
    expect(await connection.nextMessage()).toEqual(overUdp);
    connection.close();
  });

  it('is repeated in the answer as it was spelled', async () => {
    const answer = await ask(server, { name: 'eXample.ORG.', type: SOA.code });
    expect(answer.questions.map(({ name }) => Buffer.from(name.wire).toString('latin1'))).toEqual([
      '\x07eXample\x03ORG\0',
    ]);
  });

  it('that is no message with one question is answered FORMERR', async () => {
    const [question] = readMessage(queryOf(SOA_QUERY)).questions;
    const twice = writeMessage({ header: requestHeader(1, Opcode.QUERY), questions: [question!, question!] });
    const none = writeMessage({ header: requestHeader(1, Opcode.QUERY) });
    const whole = queryOf(SOA_QUERY);
    for (const octets of [twice, none, whole.subarray(0, 20), Buffer.concat([whole, whole])])
      expect(rcodeOf(await ask(server, octets))).toBe('FORMERR');
  });

  it('gets no answer when it is an answer itself, or has no header', async () => {
    const response = writeMessage({ header: responseHeader(requestHeader(1, Opcode.QUERY), 0) });
    for (const octets of [response, response.subarray(0, 11), Buffer.alloc(0)])
      expect(await sendDatagram(server, octets, 200)).toBeNull();
    expect(rcodeOf(await ask(server, SOA_QUERY))).toBe('NOERROR');
  });

  it('gets SERVFAIL while the database is unreachable, and NOTAUTH for a zone that was just deleted', async () => {
    try {
      zones.failure = new ServiceError('unavailable', 'no database for a test');
      expect(rcodeOf(await ask(server, SOA_QUERY))).toBe('SERVFAIL');
      zones.failure = new TypeError('a mistake of ours, for a test');
      const { messages } = await transfer(server, { name: NAME, type: MetaType.AXFR }, tsigKey());
      expect(messages.map(rcodeOf)).toEqual(['SERVFAIL']);
      zones.failure = new ServiceError('zone_not_found', 'it was deleted');
      expect(rcodeOf(await ask(server, SOA_QUERY))).toBe('NOTAUTH');
    } finally {
      zones.failure = null;
    }
    expect(rcodeOf(await ask(server, SOA_QUERY))).toBe('NOERROR');
  });
});

describe('12.1 EDNS', () => {
  it('is in the answer where it is in the request', async () => {
    expect((await ask(server, SOA_QUERY)).edns).toBeNull();
    const { edns } = await ask(server, { ...SOA_QUERY, edns: { isDnssecOk: true, udpPayloadSize: 4096 } });
    expect(edns).toEqual({ udpPayloadSize: 1232, version: 0, isDnssecOk: true, options: [] });
    const { messages } = await transfer(server, { name: NAME, type: MetaType.AXFR, edns: {} });
    expect(messages[0]!.edns).toMatchObject({ udpPayloadSize: 1232 });
  });

  it('bounds the answer, which is cut where it has no room', async () => {
    for (const [edns, isTruncated] of [
      [undefined, true],
      [{ udpPayloadSize: 0 }, true],
      [{ udpPayloadSize: 1232 }, false],
      [{ udpPayloadSize: 65535 }, false],
    ] as const) {
      const asked = { name: LONG_NAME, type: SOA.code, ...(edns && { edns }) };
      const client = new TsigClient(tsigKey(LONG_KEY), unixTime);
      const octets = (await sendDatagram(server, client.sign(queryOf(asked))))!;
      const message = readMessage(octets);
      expect([message.header.isTruncated, message.answers.length]).toEqual([isTruncated, isTruncated ? 0 : 1]);
      if (isTruncated) expect(octets.length).toBeLessThanOrEqual(512);
    }
  });
});

describe('12.1 a cookie', () => {
  const CLIENT = Buffer.from('01234567');
  const withCookie = (data: Buffer): Asked => ({ ...SOA_QUERY, edns: { options: [cookieOption(data)] } });

  it('is answered with one of the server, to be shown the next time', async () => {
    const { edns } = await ask(server, withCookie(CLIENT));
    const [{ code, data }] = edns!.options as [{ code: number; data: Uint8Array }];
    expect([code, data.length, Buffer.from(data).subarray(0, 8)]).toEqual([10, 24, CLIENT]);
    const again = await ask(server, withCookie(Buffer.from(data)));
    expect(again.answers).toHaveLength(1);
    expect(Buffer.from(again.edns!.options[0]!.data).subarray(0, 8)).toEqual(CLIENT);
  });

  it('that is foreign or outdated gets a new one', async () => {
    const answer = await ask(server, withCookie(Buffer.concat([CLIENT, Buffer.alloc(16)])));
    expect([rcodeOf(answer), answer.edns!.options.length]).toEqual(['NOERROR', 1]);
  });

  it('of a wrong length gets FORMERR', async () => {
    for (const length of [0, 7, 9, 15, 41])
      expect(rcodeOf(await ask(server, withCookie(Buffer.alloc(length))))).toBe('FORMERR');
  });

  it('can be asked for without a question', async () => {
    const octets = writeMessage({
      header: requestHeader(1, Opcode.QUERY),
      edns: { udpPayloadSize: 512, version: 0, isDnssecOk: false, options: [cookieOption(CLIENT)] },
    });
    const answer = await ask(server, octets);
    expect([rcodeOf(answer), answer.edns?.options[0]?.data.length]).toEqual(['NOERROR', 24]);
  });
});
