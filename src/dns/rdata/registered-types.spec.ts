import { describe, expect, it } from '@jest/globals';

import { describeType } from '../../testing/describe-type.js';
import { RdataError, RecordTypes, STANDARD_TYPES } from './index.js';
import * as types from './standard-types.js';
import { isCommonName, registeredName, TYPE_CODES, typeCode, typeName } from './type-names.js';
import { typeRefusal } from './record-types.js';

const KNOWN = new RecordTypes(STANDARD_TYPES, { generic: true });

describeType(types.AFSDB, { accepts: ['65535 .'], refuses: ['1', '65536 a.', '1 a', '1 a\\.b.'] });
describeType(types.X25, {
  accepts: ['"1234"', '1234'],
  refuses: ['"123"', '"12a4"', '""', '"1234" "5"'],
  refusesOctets: ['0131', '0431313161'],
});
describeType(types.ISDN, {
  accepts: ['"1"', '"1" "x y"'],
  refuses: ['', '"1" ""', '"1" "2" "3"'],
  writes: [['1 2', '"1" "2"']],
  refusesOctets: ['0131013200'],
});
describeType(types.RT, { accepts: ['0 .'], refuses: ['a.', '1 a'] });
describeType(types.NID, {
  accepts: ['0 0:0:0:0', '65535 ffff:ffff:ffff:ffff'],
  refuses: ['0 0:0:0', '0 0:0:0:0:0', '0 0:0:0:g', '0 00000:0:0:0', '0 ::'],
  writes: [['10 14:4FFF:ff20:ee64', '10 0014:4fff:ff20:ee64']],
  refusesOctets: ['000a0014', '000a00144fffff20ee6400'],
});
describeType(types.L32, { accepts: ['0 192.0.2.1'], refuses: ['0 ::1', '192.0.2.1'] });
describeType(types.L64, { accepts: ['0 2001:db8:0:1'], refuses: ['0 2001:db8::'] });
describeType(types.LP, { accepts: ['0 .'], refuses: ['0 a'] });
describeType(types.IPSECKEY, {
  accepts: ['10 0 2 . AQID', '10 2 2 2001:db8::1 AQID', '255 3 255 gw.example.org. AQID'],
  refuses: ['10 0 0 .', '10 4 2 . AQID', '10 1 2 gw. AQID', '10 0 2 a. AQID', '10 3 2 gw AQID', '10 1 2 192.0.2.1 !'],
  loads: [['10 3 2 gw AQ ID', '10 3 2 gw.example.org. AQID']],
  refusesOctets: ['0a0000', '0a0400', '0a0102c00002', '0a030200'],
});
describeType(types.AMTRELAY, {
  accepts: ['0 0 0 .', '10 1 1 192.0.2.1', '10 0 2 2001:db8::1', '10 1 3 relay.example.org.'],
  refuses: ['10 2 1 192.0.2.1', '10 0 4 .', '10 0 0 a.', '10 0 1 192.0.2.1 x'],
  loads: [['10 1 3 relay', '10 1 3 relay.example.org.']],
  refusesOctets: ['0a', '0a01c00002', '0a02c0000201aa', '0a7f'],
});
describeType(types.HIP, {
  accepts: ['2 2001 AQID', '0 ff AQID a. b.'],
  refuses: ['2 2001', '2 200 AQID', '2 2001 AQI', '2 2001 AQID a', '256 2001 AQID'],
  loads: [['2 2001 AQID rvs', '2 2001 AQID rvs.example.org.']],
  refusesOctets: ['00020001ff', '0202000020ff', '020200042001', '0202000120010161'],
});
describeType(types.APL, {
  accepts: ['1:0.0.0.0/0', '!2:2001:db8::/128', '1:192.0.2.1/32 1:192.0.2.1/32', String.raw`\# 0`],
  refuses: ['', '1:192.0.2.0/33', '2:::/129', '3:c0/8', '1:2001:db8::/8', '192.0.2.0/24', '!!1:192.0.2.0/24'],
  writes: [['1:10.1.2.3/8', '1:10.1.2.3/8']],
  refusesOctets: ['0001', '000108020a00', '0003080101', '00012100', '00010805c000020101'],
});
describeType(types.MB, { accepts: ['.'], refuses: ['', 'a'] });
describeType(types.MINFO, { accepts: ['. .'], refuses: ['a.'] });
describeType(types.NSAP_PTR, { accepts: ['a.'], refuses: ['a'] });
describeType(types.NSAP, {
  accepts: ['0x47'],
  refuses: ['47', '0x', '0x4', '0xzz'],
  writes: [['0X47.0005.80', '0x47000580']],
  refusesOctets: [''],
});
describeType(types.PX, { accepts: ['0 . .'], refuses: ['0 .'] });
describeType(types.GPOS, {
  accepts: ['"-180" "90" "0"', '1 2 3.5'],
  refuses: ['"181" "0" "0"', '"0" "91" "0"', '"a" "0" "0"', '"0" "0"'],
});
describeType(types.WALLET, { accepts: ['"BTC" "x"', 'ETH 0x1'], refuses: [''], refusesOctets: ['', '0561'] });
describeType(types.KX, { accepts: ['0 .'], refuses: ['.'] });
describeType(types.KEY, {
  accepts: ['256 3 8 AQID'],
  refuses: ['256 3 253 AQID', '49152 3 8 AQID', '256 3 8'],
  refusesOctets: ['c0000300'],
});
describeType(types.TALINK, { accepts: ['. .'], refuses: ['.'] });
describeType(types.DSYNC, {
  accepts: ['CSYNC 1 0 .', 'TYPE65280 255 65535 a.'],
  refuses: ['BOGUS 1 0 .', 'CDS 1 0', 'CDS BOGUS 0 .'],
  writes: [['TYPE59 NOTIFY 5300 a.', 'CDS 1 5300 a.']],
  refusesOctets: ['003b01', '003b0100'],
});
describeType(types.BRID, { accepts: ['AQID'], refuses: ['', 'x'], refusesOctets: [''] });
describeType(types.IPN, {
  accepts: ['0', '18446744073709551615'],
  refuses: ['18446744073709551616', '01', '-1', ''],
  refusesOctets: ['00', '000000000000000000'],
});

describe('the registry', () => {
  it('knows each type by its name and its number only', () => {
    for (const [name, code] of TYPE_CODES) expect([typeCode(name), registeredName(code)]).toEqual([code, name]);
    expect(new Set(TYPE_CODES.values()).size).toBe(TYPE_CODES.size);
    for (const name of ['WINS', 'WINSR', 'a', 'TYPE', 'TYPE65536', '']) expect(typeCode(name)).toBeUndefined();
  });

  it('shows a mnemonic in data only where every name server reads it', () => {
    expect([typeName(18), typeName(261), typeName(65280)]).toEqual(['AFSDB', 'TYPE261', 'TYPE65280']);
    expect([isCommonName('AFSDB', 18), isCommonName('RESINFO', 261)]).toEqual([true, false]);
  });

  it.each([
    ['BOGUS', '"BOGUS" is not a record type'],
    ['OPT', 'OPT stands in messages and never in a zone'],
    ['TYPE255', 'ANY stands in messages'],
    ['MD', 'use MX'],
    ['nxt', 'RFC 2535'],
    ['RRSIG', 'made by signing'],
    ['EID', String.raw`EID has no text form here: write TYPE31, with data like \# 4`],
    ['TYPE18', 'write AFSDB for "TYPE18"'],
  ])('says of %s: %s', (name, reason) => {
    expect(typeRefusal(KNOWN, name)).toContain(reason);
  });

  it('names the types that are taken where one is switched off', () => {
    expect(typeRefusal(new RecordTypes([types.A]), 'AFSDB')).toContain('AFSDB records are not taken here');
  });

  it('accepts every type as octets, or gives a reason', () => {
    for (const [name, code] of TYPE_CODES) {
      if (KNOWN.byCode(code) !== undefined) continue;
      expect(typeRefusal(KNOWN, name)).toMatch(/in messages|obsolete|made by|digest of the whole zone/);
    }
  });
});

describe.each([
  [11, ['c000020106', 'c00002010601'], ['', 'c0000201', 'c00002010600', `c000020106${'01'.repeat(8193)}`]],
  [34, ['0001'], ['', '00']],
  [38, [`00${'20'.repeat(16)}`, '8000', '44000000000000000100', `40${'20'.repeat(8)}00`], ['', '00', '8100', '80']],
  [40, ['000000'], ['0000']],
  [57, ['0000010801'], ['00000108']],
  [259, ['00000000000000000000'], ['0000', '00000000000000000001']],
  [32768, [`00010801${'aa'.repeat(20)}`, '00010899aa'], ['00010801aa', '00010899']],
  [32769, [`00010802${'aa'.repeat(32)}`], ['', '00010802aa']],
])('octets of TYPE%d', (code, accepted, refused) => {
  const type = KNOWN.byCode(code);

  it('are taken where BIND loads them', () => {
    for (const hex of accepted) expect(() => type?.check(Buffer.from(hex, 'hex'))).not.toThrow();
    for (const hex of refused) expect(() => type?.check(Buffer.from(hex, 'hex'))).toThrow(RdataError);
  });
});

describe('generic data', () => {
  it('means its octets for types with a text form, and a text only in quotes', () => {
    expect(types.TXT.toData(types.TXT.parse(String.raw`\# 4 03666f6f`, null)).data).toBe('"foo"');
    expect(types.TXT.toData(types.TXT.parse(String.raw`"\# 4 03666f6f"`, null)).data).toBe('"# 4 03666f6f"');
    expect(() => types.TXT.parse(String.raw`\# 2 0561`, null)).toThrow('end too early');
  });

  it('has the priority in its octets', () => {
    const generic = String.raw`\# 3 000a00`;
    expect(types.MX.toData(types.MX.parse(generic, null))).toEqual({ data: '.', priority: 10 });
    expect(types.MX.toData(types.MX.parse(generic, 10)).priority).toBe(10);
    expect(() => types.MX.parse(generic, 11)).toThrow('send that, or no priority');
    expect(() => types.TXT.parse(String.raw`\# 2 0161`, 1)).toThrow('no priority');
  });
});
