import { describe, expect, it } from '@jest/globals';
import { DomainName } from '../../dns/name.js';
import { SetTtls } from './set-ttls.js';

const wireOf = (name: string): Uint8Array => DomainName.parse(name).wire;

describe('SetTtls', () => {
  it('notices another ttl in a set, in whatever case its owner name is written', () => {
    const ttls = new SetTtls(5);
    expect(ttls.differs(wireOf('a.example.'), 1, 60)).toBe(false);
    expect(ttls.differs(wireOf('A.Example.'), 1, 60)).toBe(false);
    expect(ttls.differs(wireOf('a.example.'), 28, null)).toBe(false);
    expect(ttls.differs(wireOf('a.example.'), 1, 61)).toBe(true);
    expect(ttls.differs(wireOf('A.EXAMPLE.'), 28, 60)).toBe(true);
  });

  it('takes as many sets as it was told of', () => {
    const ttls = new SetTtls(10_000);
    const names = Array.from({ length: 10_000 }, (_, at) => wireOf(`h${at}.example.`));
    for (const name of names) ttls.differs(name, 1, 5);
    expect(names.filter((name) => ttls.differs(name, 1, 5))).toEqual([]);
    expect(names.filter((name) => !ttls.differs(name, 1, null))).toEqual([]);
  });
});
