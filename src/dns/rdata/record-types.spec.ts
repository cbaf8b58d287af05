import { describe, expect, it } from '@jest/globals';

import { INTERFACE_TYPES, RecordTypes, SOA, STANDARD_TYPES } from './index.js';
import { TYPE_CODES } from './type-names.js';

describe('the list of types', () => {
  it('begins with the ten of the interface, in its order', () => {
    const names = ['A', 'AAAA', 'MX', 'CNAME', 'TXT', 'SRV', 'NS', 'PTR', 'SPF', 'SSHFP'];
    expect(INTERFACE_TYPES.map((type) => type.name)).toEqual(names);
    expect(STANDARD_TYPES.slice(0, 10)).toEqual(INTERFACE_TYPES);
  });

  it('has each name and code once, and SOA not at all', () => {
    expect(new Set(STANDARD_TYPES.map((type) => type.name)).size).toBe(STANDARD_TYPES.length);
    expect(new Set(STANDARD_TYPES.map((type) => type.code)).size).toBe(STANDARD_TYPES.length);
    expect(STANDARD_TYPES).not.toContain(SOA);
  });

  it('agrees with the names that lists of types are written with', () => {
    for (const { name, code } of [...STANDARD_TYPES, SOA]) expect([name, TYPE_CODES.get(name)]).toEqual([name, code]);
  });

  it('has a priority in MX and SRV only', () => {
    const names = STANDARD_TYPES.filter((type) => type.priority === 'required').map((type) => type.name);
    expect(names).toEqual(['MX', 'SRV']);
  });
});

describe('RecordTypes', () => {
  const offered = new RecordTypes(INTERFACE_TYPES);
  const everything = new RecordTypes(STANDARD_TYPES, { generic: true });

  it('finds registered types by exact name and by code', () => {
    expect(offered.names).toEqual(INTERFACE_TYPES.map((type) => type.name));
    expect(offered.byName('MX')?.code).toBe(15);
    expect(offered.byCode(15)?.name).toBe('MX');
    for (const name of ['mx', 'MX ', 'SOA', 'CAA', 'TYPE15', 'TYPE65280', '', '__proto__', 'constructor']) {
      expect(offered.byName(name)).toBeUndefined();
    }
    expect(offered.byCode(257)).toBeUndefined();
    expect(offered.byCode(65280)).toBeUndefined();
  });

  it('knows types by number where it may', () => {
    expect(everything.byName('TYPE65280')?.code).toBe(65280);
    expect(everything.byCode(65280)?.name).toBe('TYPE65280');
    expect(everything.byName('TYPE54')?.parse('\\# 1 00', null)).toEqual(Uint8Array.of(0));
  });

  it.each([
    ['types that have a name', ['TYPE1', 'TYPE15', 'TYPE257']],
    ['SOA and the types of DNSSEC', ['TYPE6', 'TYPE24', 'TYPE30', 'TYPE46', 'TYPE47', 'TYPE48', 'TYPE50', 'TYPE51']],
    ['meta types', ['TYPE0', 'TYPE41', 'TYPE128', 'TYPE249', 'TYPE250', 'TYPE251', 'TYPE252', 'TYPE255', 'TYPE65535']],
    ['types that no name server should load', ['TYPE3', 'TYPE4', 'TYPE63']],
    ['an invalid number', ['TYPE', 'TYPE065280', 'TYPE65536', 'TYPE-1', 'TYPE1e4', 'type65280', 'TYPE65280\n']],
  ])('knows no %s by number', (_what, names) => {
    for (const name of names) expect([name, everything.byName(name)]).toEqual([name, undefined]);
  });

  it('hides TYPEn behind the plugin type with that code', () => {
    const own = { ...SOA, name: 'OURS', code: 65280 };
    expect(new RecordTypes([own], { generic: true }).byName('TYPE65280')).toBeUndefined();
    expect(new RecordTypes([own], { generic: true }).byCode(65280)).toBe(own);
  });
});
