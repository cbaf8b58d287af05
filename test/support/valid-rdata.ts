import fc from 'fast-check';

import type { RecordType } from '../../src/dns/rdata/index.js';
import { WireWriter } from '../../src/dns/message/wire.js';

type Octets = fc.Arbitrary<Uint8Array>;

/**
 * Arbitrary RDATA that is right for its type, put together from octets and without the code under test; of a type that has
 * no line here, the octets of its example with some of them changed, as far as the type accepts them.
 */
export function validRdata(type: RecordType): Octets {
  return VALID_RDATA[type.name] ?? changedExample(type);
}

function changedExample(type: RecordType): Octets {
  const example = type.parse(type.example.data, type.example.priority);
  const change = fc.record({ at: fc.nat(example.length - 1), octet: fc.nat(255) });
  return fc.array(change, { maxLength: example.length }).map((changes) => {
    const octets = Uint8Array.from(example);
    for (const { at, octet } of changes) octets[at] = octet;
    return isAccepted(type, octets) ? octets : example;
  });
}

function isAccepted(type: RecordType, octets: Uint8Array): boolean {
  try {
    type.check(octets);
    return true;
  } catch {
    return false;
  }
}

const VALID_RDATA: Readonly<Record<string, Octets>> = {
  A: octets(4),
  AAAA: fc.oneof(octets(16), fc.constant(Buffer.from('00000000000000000000ffffc0000201', 'hex')), sparse(16)),
  MX: joined(octets(2), fc.oneof(hostName(), fc.constant(Uint8Array.of(0)))),
  CNAME: targetName(),
  TXT: joinedList(characterString()),
  SRV: joined(octets(6), fc.oneof(hostName(), fc.constant(Uint8Array.of(0)))),
  NS: hostName(),
  PTR: targetName(),
  SPF: joinedList(characterString()),
  SSHFP: joined(oneOctet(1, 2, 3, 4, 6), fc.oneof(joined(oneOctet(1), octets(20)), joined(oneOctet(2), octets(32)))),
  CAA: fc.oneof(
    joined(octets(1), prefixed(word('0123456789abcdefghjklmnopqrstuvwxyz', 15)), upTo(300)),
    joined(octets(1), fc.constantFrom('issue', 'issuewild', 'iodef').map(tagged), word('ab.;= "\\', 60)),
  ),
  TLSA: certificateAssociation(),
  SMIMEA: certificateAssociation(),
  NAPTR: naptr(),
  DS: delegationSigner(),
  CDS: fc.oneof(delegationSigner(), fc.constant(new Uint8Array(5))),
  CDNSKEY: fc.oneof(publicKey(), fc.constant(Uint8Array.of(0, 0, 3, 0, 0))),
  CSYNC: joined(octets(6), typeBitmap()),
  DNAME: targetName(),
  HTTPS: serviceBinding(),
  SVCB: serviceBinding(),
  URI: joined(octets(4), fc.oneof(upTo(60, 1), word('ab/:?#[]@!$&\'()*+,;=%"\\', 60))),
  LOC: location(),
  CERT: joined(fc.integer({ min: 1, max: 65535 }).map(uint16), octets(3), upTo(100, 1)),
  OPENPGPKEY: upTo(200, 1),
  HINFO: joined(characterString(), characterString()),
  RP: joined(targetName(), targetName()),
  SOA: joined(targetName(), targetName(), octets(20)),
  TYPE65280: upTo(100),
  X25: prefixed(word('0123456789', 20).filter((digits) => digits.length >= 4)),
  ISDN: fc.oneof(characterString(), joined(characterString(), prefixed(upTo(20, 1)))),
  IPSECKEY: joined(
    octets(1),
    gateway((type) => Uint8Array.of(type, 2)),
    upTo(60, 1),
  ),
  AMTRELAY: joined(
    octets(1),
    gateway((type) => Uint8Array.of(type)),
  ),
  HIP: hostIdentity(),
  APL: fc.array(addressPrefix(), { maxLength: 4 }).map(concat),
  NSAP: upTo(20, 1),
  GPOS: joined(prefixed(number()), prefixed(number()), prefixed(number())),
  HHIT: upTo(60, 1),
  BRID: upTo(60, 1),
  IPN: octets(8),
  KEY: joined(fc.nat(0xbfff).map(uint16), octets(1), oneOctet(0, 1, 5, 8, 13, 15, 252), upTo(60, 1)),
  TALINK: joined(targetName(), targetName()),
  ...fromEntries(['AVC', 'RESINFO', 'WALLET', 'CLA', 'NINFO'], joinedList(characterString())),
  ...fromEntries(['AFSDB', 'RT'], joined(octets(2), fc.oneof(hostName(), fc.constant(Uint8Array.of(0))))),
  ...fromEntries(['KX', 'LP'], joined(octets(2), targetName())),
  ...fromEntries(['MB', 'MG', 'MR', 'NSAP-PTR'], targetName()),
  ...fromEntries(['MINFO'], joined(targetName(), targetName())),
  PX: joined(octets(2), targetName(), targetName()),
  DSYNC: joined(octets(5), targetName()),
};

function fromEntries(names: readonly string[], rdata: Octets): Record<string, Octets> {
  return Object.fromEntries(names.map((name) => [name, rdata]));
}

function gateway(head: (type: number) => Uint8Array): Octets {
  return fc.oneof(
    fc.constant(head(0)),
    joined(fc.constant(head(1)), octets(4)),
    joined(fc.constant(head(2)), sparse(16)),
    joined(fc.constant(head(3)), hostName()),
  );
}

function hostIdentity(): Octets {
  return fc
    .tuple(upTo(32, 1), octets(1), upTo(60, 1), fc.array(targetName(), { maxLength: 2 }))
    .map(([tag, algorithm, key, servers]) =>
      concat([Uint8Array.of(tag.length), algorithm, uint16(key.length), tag, key, ...servers]),
    );
}

function addressPrefix(): Octets {
  return fc.constantFrom([1, 4] as const, [2, 16] as const).chain(([family, size]) =>
    fc.tuple(fc.nat(8 * size), upTo(size), fc.boolean()).map(([prefix, address, isNegated]) => {
      const length = address.findLastIndex((octet) => octet !== 0) + 1;
      const head = [...uint16(family), prefix, length + (isNegated ? 0x80 : 0)];
      return Uint8Array.of(...head, ...address.subarray(0, length));
    }),
  );
}

function number(): Octets {
  return fc.integer({ min: -9000, max: 9000 }).map((value) => Buffer.from((value / 100).toFixed(2)));
}

function tagged(text: string): Uint8Array {
  return Uint8Array.of(text.length, ...Buffer.from(text));
}

function octets(length: number): Octets {
  return fc.uint8Array({ minLength: length, maxLength: length });
}

function upTo(maxLength: number, minLength = 0): Octets {
  return fc.uint8Array({ minLength, maxLength });
}

function sparse(length: number): Octets {
  return fc
    .array(fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 0, max: 255 })), {
      minLength: length,
      maxLength: length,
    })
    .map((list) => Uint8Array.from(list));
}

function oneOctet(...among: number[]): Octets {
  return fc.constantFrom(...among).map((octet) => Uint8Array.of(octet));
}

function word(alphabet: string, maxLength: number): Octets {
  return fc
    .array(fc.constantFrom(...alphabet), { minLength: 1, maxLength })
    .map((letters) => Buffer.from(letters.join('')));
}

function joined(...parts: Octets[]): Octets {
  return fc.tuple(...parts).map(concat);
}

function joinedList(part: Octets): Octets {
  return fc.array(part, { minLength: 1, maxLength: 5 }).map(concat);
}

function prefixed(part: Octets): Octets {
  return part.map((value) => Uint8Array.of(value.length, ...value));
}

function characterString(): Octets {
  return prefixed(fc.oneof(upTo(20), upTo(255), word('"\\ ;()ab1', 20)));
}

function hostName(): Octets {
  const label = word('abcXYZ019_-', 12).filter((octets) => octets[0] !== 0x2d && octets.at(-1) !== 0x2d);
  return nameOf(label);
}

/** Anything but control octets and wildcards. */
function targetName(): Octets {
  const octet = fc.oneof(
    fc.integer({ min: 0x20, max: 0x7e }),
    fc.integer({ min: 0x80, max: 0xff }),
    fc.constantFrom(...Buffer.from('."\\;()@$ 09')),
  );
  const label = fc.array(octet, { minLength: 1, maxLength: 12 }).map((list) => Uint8Array.from(list));
  return fc.oneof(
    nameOf(label.filter((octets) => octets.length > 1 || octets[0] !== 0x2a)),
    hostName(),
    fc.constant(Uint8Array.of(0)),
  );
}

function nameOf(label: Octets): Octets {
  return fc
    .array(prefixed(label), { minLength: 1, maxLength: 8 })
    .map((labels) => concat([...labels, Uint8Array.of(0)]));
}

function certificateAssociation(): Octets {
  const digest = fc.oneof(
    joined(oneOctet(0, 255), upTo(80, 1)),
    joined(oneOctet(1), octets(32)),
    joined(oneOctet(2), octets(64)),
  );
  return joined(oneOctet(0, 1, 2, 3, 255), oneOctet(0, 1, 255), digest);
}

function delegationSigner(): Octets {
  const digest = fc.oneof(
    joined(oneOctet(1), octets(20)),
    joined(oneOctet(2), octets(32)),
    joined(oneOctet(4), octets(48)),
    joined(oneOctet(3, 5, 6), octets(32)),
    joined(oneOctet(7, 128, 200, 255), upTo(70, 1)),
  );
  return joined(octets(2), oneOctet(0, 5, 8, 13, 99, 253), digest);
}

function publicKey(): Octets {
  const key = fc.oneof(
    joined(oneOctet(13), octets(64)),
    joined(oneOctet(15), octets(32)),
    joined(oneOctet(1, 5, 8, 10, 99, 200, 255), upTo(200, 1)),
  );
  return joined(octets(2), oneOctet(3), key);
}

function naptr(): Octets {
  const start = joined(
    octets(4),
    prefixed(fc.constantFrom('', 'S', 'u', 'A9').map((text) => Buffer.from(text))),
    characterString(),
  );
  const expression = fc.constantFrom(
    '!^.*$!sip:info@example.org!',
    '!^(a|[^]b-d]+){1,2}\\.(.)$!\\2\\1!i',
    '/"\\\\?/;()/',
  );
  return fc.oneof(
    joined(start, oneOctet(0), targetName()),
    joined(start, prefixed(expression.map((text) => Buffer.from(text))), fc.constant(Uint8Array.of(0))),
  );
}

function typeBitmap(): Octets {
  const type = fc.integer({ min: 1, max: 65534 }).filter((code) => code !== 41 && (code < 128 || code > 255));
  const common = fc.constantFrom(1, 2, 5, 6, 15, 16, 28, 33, 64, 65, 256, 257);
  return fc.uniqueArray(fc.oneof(common, type), { minLength: 1, maxLength: 12 }).map((codes) => {
    const blocks = [...new Set(codes.map((code) => code >> 8))].sort((a, b) => a - b);
    return concat(
      blocks.map((block) =>
        bitmapBlock(
          block,
          codes.filter((code) => code >> 8 === block),
        ),
      ),
    );
  });
}

function bitmapBlock(block: number, codes: readonly number[]): Uint8Array {
  const bits = Array.from({ length: ((Math.max(...codes) & 0xff) >> 3) + 1 }, () => 0);
  const octets = bits.map((_, at) =>
    codes.filter((code) => (code & 0xff) >> 3 === at).reduce((sum, code) => sum + 2 ** (7 - (code & 7)), 0),
  );
  return Uint8Array.of(block, octets.length, ...octets);
}

function serviceBinding(): Octets {
  const params = fc.record(
    {
      1: fc.array(prefixed(protocol()), { minLength: 1, maxLength: 3 }).map(concat),
      3: octets(2),
      4: fc.array(octets(4), { minLength: 1, maxLength: 3 }).map(concat),
      5: upTo(30, 1),
      6: fc.array(sparse(16), { minLength: 1, maxLength: 3 }).map(concat),
      7: fc
        .constantFrom('/dns-query{?dns}', '/{dns}', '/q?x=1{&dns}', '/é{?x,dns*}', '/{+a,dns:3}')
        .map((text) => Buffer.from(text)),
      8: fc.constant(new Uint8Array()),
      9: fc.uniqueArray(fc.nat(65535), { minLength: 1, maxLength: 3 }).map((groups) => concat(groups.map(uint16))),
      10: fc.array(prefixed(upTo(6, 1)), { maxLength: 3 }).map(concat),
      667: upTo(30),
      65534: upTo(5),
    },
    { requiredKeys: [] },
  );
  const service = fc.record({
    priority: fc.integer({ min: 1, max: 65535 }),
    target: targetName(),
    params,
    extras: fc.boolean(),
  });
  return fc.oneof(
    joined(fc.constant(uint16(0)), targetName()),
    joined(fc.constant(uint16(0)), targetName(), fc.constant(Uint8Array.of(0, 3, 0, 2, 1, 187))),
    service.map(({ priority, target, params: given, extras }) => {
      const all = Object.entries(given).map(([key, value]) => [Number(key), value] as const);
      const mandatory = all.map(([key]) => uint16(key)).slice(0, 2);
      const noDefault = extras && all.some(([key]) => key === 1) ? [[2, new Uint8Array()] as const] : [];
      const listed = extras && mandatory.length > 0 ? [[0, concat(mandatory)] as const] : [];
      const sorted = [...listed, ...noDefault, ...all].sort(([a], [b]) => a - b);
      return concat([
        uint16(priority),
        target,
        ...sorted.flatMap(([key, value]) => [uint16(key), uint16(value.length), value]),
      ]);
    }),
  );
}

/** RFC 7301 §3.1: any octets. */
function protocol(): Octets {
  return fc.oneof(word('h23/.-_~', 8), word('ab\\,"', 6), upTo(255, 1));
}

function location(): Octets {
  const precision = fc
    .integer({ min: 1, max: 9 })
    .chain((digit) => fc.integer({ min: 0, max: 9 }).map((power) => Uint8Array.of((digit << 4) | power)));
  const angle = (degrees: number) =>
    fc
      .integer({ min: -degrees * 3_600_000, max: degrees * 3_600_000 })
      .map((size) => new WireWriter().uint32(0x8000_0000 + size).finish());
  return joined(oneOctet(0), fc.oneof(precision, oneOctet(0)), precision, precision, angle(90), angle(180), octets(4));
}

function uint16(value: number): Uint8Array {
  return Uint8Array.of(value >> 8, value & 0xff);
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}
