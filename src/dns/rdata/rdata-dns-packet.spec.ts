import { describe, expect, it } from '@jest/globals';
import { decode } from 'dns-packet';

import { WireWriter } from '../message/wire.js';
import { type RecordType, RecordTypes, STANDARD_TYPES } from './index.js';

const TYPES = new RecordTypes(STANDARD_TYPES);
const SHA256 = '0123456789abcdef'.repeat(4);

/** Decoded by another hand: dns-packet is right for these types, as long as no label has a dot in it. */
describe('dns-packet reads RDATA of Zonewright', () => {
  it.each([
    ['A', '192.0.2.1', null, '192.0.2.1'],
    ['AAAA', '2001:DB8::1', null, '2001:db8::1'],
    ['AAAA', '::ffff:192.0.2.1', null, '::ffff:c000:201'],
    ['MX', 'Mail.example.org.', 10, { preference: 10, exchange: 'Mail.example.org' }],
    ['CNAME', 'www.example.org.', null, 'www.example.org'],
    ['NS', 'ns1.example.org.', null, 'ns1.example.org'],
    ['PTR', 'www.example.org.', null, 'www.example.org'],
    ['DNAME', 'new.example.org.', null, 'new.example.org'],
    ['SRV', '5 5060 sip.example.org.', 10, { priority: 10, weight: 5, port: 5060, target: 'sip.example.org' }],
    ['TXT', '"a b" "c\\"d" "é"', null, [Buffer.from('a b'), Buffer.from('c"d'), Buffer.from('é')]],
    ['TXT', 'x'.repeat(300), null, [Buffer.from('x'.repeat(255)), Buffer.from('x'.repeat(45))]],
    ['HINFO', '"PC" "NT 4"', null, { cpu: 'PC', os: 'NT 4' }],
    [
      'CAA',
      '128 issue "ca.example.org"',
      null,
      { flags: 128, tag: 'issue', value: 'ca.example.org', issuerCritical: true },
    ],
    ['SSHFP', `4 2 ${SHA256}`, null, { algorithm: 4, hash: 2, fingerprint: SHA256.toUpperCase() }],
    [
      'TLSA',
      `3 1 1 ${SHA256}`,
      null,
      { usage: 3, selector: 1, matchingType: 1, certificate: Buffer.from(SHA256, 'hex') },
    ],
    [
      'DS',
      `60485 13 2 ${SHA256}`,
      null,
      { keyTag: 60485, algorithm: 13, digestType: 2, digest: Buffer.from(SHA256, 'hex') },
    ],
    ['RP', 'admin.example.org. .', null, { mbox: 'admin.example.org', txt: '.' }],
    [
      'NAPTR',
      '100 10 "S" "SIP+D2U" "" _sip._udp.example.org.',
      null,
      { order: 100, preference: 10, flags: 'S', services: 'SIP+D2U', regexp: '', replacement: '_sip._udp.example.org' },
    ],
  ])('%s %j', (name, data, priority, decoded) => {
    expect(decodedByDnsPacket(name, typeNamed(name).parse(data, priority))).toEqual(decoded);
  });
});

function typeNamed(name: string): RecordType {
  const type = TYPES.byName(name);
  if (!type) throw new Error(`no such type: ${name}`);
  return type;
}

/** The dns-packet result for a response with one record, owned by the root. */
function decodedByDnsPacket(name: string, rdata: Uint8Array): unknown {
  const message = new WireWriter().uint16(0).uint16(0x8000).uint16(0).uint16(1).uint16(0).uint16(0);
  message.uint8(0).uint16(typeNamed(name).code).uint16(1).uint32(300).uint16(rdata.length).octets(rdata);
  const [answer] = decode(Buffer.from(message.finish())).answers ?? [];
  return answer && 'data' in answer ? answer.data : undefined;
}
