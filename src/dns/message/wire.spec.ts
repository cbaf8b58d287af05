import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { DomainName } from '../name.js';
import { WireError, WireReader, WireWriter } from './wire.js';

describe('WireWriter and WireReader', () => {
  it('write and read in network order', () => {
    const name = DomainName.parse('www.example.org.');
    const wire = new WireWriter()
      .uint8(0xfe)
      .uint16(0xfedc)
      .uint32(0xfedcba98)
      .name(name)
      .octets(Uint8Array.of(1, 2))
      .finish();
    expect(Buffer.from(wire).toString('hex')).toBe('fefedcfedcba9803777777076578616d706c65036f7267000102');

    const reader = new WireReader(wire);
    expect(reader.uint8()).toBe(0xfe);
    expect(reader.uint16()).toBe(0xfedc);
    expect(reader.uint32()).toBe(0xfedcba98);
    expect(reader.name().toString()).toBe('www.example.org.');
    expect(reader.remaining).toBe(2);
    expect([...reader.rest()]).toEqual([1, 2]);
    expect(reader.remaining).toBe(0);
  });

  it('grows with the written data', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 300 })), (parts) => {
        const writer = new WireWriter();
        for (const part of parts) writer.octets(part);
        expect(Buffer.from(writer.finish())).toEqual(Buffer.concat(parts));
      }),
    );
  });

  it.each([
    ['uint8', (reader: WireReader) => reader.uint8(), ''],
    ['uint16', (reader: WireReader) => reader.uint16(), '01'],
    ['uint32', (reader: WireReader) => reader.uint32(), '010203'],
    ['octets', (reader: WireReader) => reader.octets(3), '0102'],
    ['name', (reader: WireReader) => reader.name(), '0161'],
    ['a compressed name', (reader: WireReader) => reader.name(), 'c00c'],
  ])('refuse %s where the octets end too early or are none', (_what, read, hex) => {
    expect(() => read(new WireReader(Buffer.from(hex, 'hex')))).toThrow(WireError);
  });
});
