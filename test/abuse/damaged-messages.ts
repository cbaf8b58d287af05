import { SOA } from '../../src/dns/rdata/index.js';
import { MetaType, Opcode } from '../../src/dns/message/codes.js';
import { TsigClient } from '../../src/dns/message/tsig/tsig-client.js';
import type { TsigKey } from '../../src/dns/message/tsig/tsig-key.js';
import { cookieOption, queryOf, unixTime } from '../support/dns-client.js';

/** `count` malformed messages, deterministic for each name and key. */
export function damagedMessages(count: number, name: string, key: TsigKey): Buffer[] {
  const whole = [...queriesFor(name, key), ...craftedMessages()];
  const random = randomNumbers(20_261_122);
  return Array.from({ length: count }, (_, at) => {
    const message = Buffer.from(whole[at % whole.length]!);
    // Some stay as they are.
    return at % 7 === 0 ? message : damage(message, random);
  });
}

function queriesFor(name: string, key: TsigKey): Buffer[] {
  const edns = { options: [cookieOption(Buffer.from('01234567'))] };
  const queries = [
    queryOf({ name, type: SOA.code }),
    queryOf({ name, type: SOA.code, edns }),
    queryOf({ name, type: MetaType.IXFR, serial: 1, edns }),
    queryOf({ name, type: MetaType.AXFR }),
    queryOf({ name, type: MetaType.ANY, opcode: Opcode.NOTIFY, serial: 5 }),
    queryOf({ name: 'no.such.zone.example.', type: SOA.code, edns: { version: 9 } }),
  ];
  return [...queries, ...queries.map((query) => new TsigClient(key, unixTime).sign(query))];
}

const HEADER = Buffer.from('123400000001000000000000', 'hex');
const TYPE_AND_CLASS = Buffer.from('00060001', 'hex');

/** Names that point to themselves, at each other, forward and nowhere; labels that lie about their length. */
function craftedMessages(): Buffer[] {
  const names = ['c00c', 'c00e c00c', 'c010 0000 c00c', 'cfff', 'ffff', '3f61', '40', '80', '0161 c00c', '0161 c00e'];
  const looped = names.map((name) =>
    Buffer.concat([HEADER, Buffer.from(name.replaceAll(' ', ''), 'hex'), TYPE_AND_CLASS]),
  );
  const long = Buffer.concat([HEADER, Buffer.alloc(60_000, '\x01a'), TYPE_AND_CLASS]);
  const many = Buffer.from(looped[0]!);
  many.fill(0xff, 4, 12);
  const empty = Buffer.concat([HEADER, Buffer.from([0]), TYPE_AND_CLASS]);
  // A record whose length goes beyond the message.
  const lying = Buffer.concat([empty, Buffer.from('000029ffff00000000ffff', 'hex')]);
  lying.writeUInt16BE(1, 10);
  return [...looped, long, many, empty, lying, Buffer.alloc(0), HEADER];
}

function damage(message: Buffer, random: (below: number) => number): Buffer {
  const kinds = [flipped, cut, lengthened, miscounted, overwritten];
  return kinds[random(kinds.length)]!(message, random);
}

type Damage = (message: Buffer, random: (below: number) => number) => Buffer;

const flipped: Damage = (message, random) => {
  for (let times = 1 + random(4); times > 0 && message.length > 0; times -= 1) {
    const at = random(message.length);
    message[at] = (message[at] ?? 0) ^ (1 << random(8));
  }
  return message;
};

const cut: Damage = (message, random) => message.subarray(0, random(message.length + 1));

const lengthened: Damage = (message, random) => Buffer.concat([message, Buffer.alloc(random(64), random(256))]);

/** Section counts above or below the real number of records. */
const miscounted: Damage = (message, random) => {
  if (message.length >= 12) message.writeUInt16BE(random(3) === 0 ? 0xffff : random(5), 4 + 2 * random(4));
  return message;
};

const overwritten: Damage = (message, random) => {
  const at = random(message.length + 1);
  return message.fill(random(2) === 0 ? 0xc0 : random(256), at, Math.min(message.length, at + random(8)));
};

/** The same numbers each time (mulberry32). */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}
