import { describe, expect, it } from '@jest/globals';
import { DomainName } from '../../dns/name.js';
import { SetTtls } from './unsorted-zone-reader.js';

const wireOf = (name: string): Uint8Array => DomainName.parse(name).wire;

describe('SetTtls', () => {
  it('detects a different ttl in a set, for any case of the owner name', () => {
    const ttls = new SetTtls(5);
    expect(ttls.differs(wireOf('a.example.'), 1, 60)).toBe(false);
    expect(ttls.differs(wireOf('A.Example.'), 1, 60)).toBe(false);
    expect(ttls.differs(wireOf('a.example.'), 28, null)).toBe(false);
    expect(ttls.differs(wireOf('a.example.'), 1, 61)).toBe(true);
    expect(ttls.differs(wireOf('A.EXAMPLE.'), 28, 60)).toBe(true);
  });

  it('reads as many sets as requested', () => {
    const ttls = new SetTtls(10_000);
    const names = Array.from({ length: 10_000 }, (_, at) => wireOf(`h${at}.example.`));
    for (const name of names) ttls.differs(name, 1, 5);
    expect(names.filter((name) => ttls.differs(name, 1, 5))).toEqual([]);
    expect(names.filter((name) => !ttls.differs(name, 1, null))).toEqual([]);
  });
});
