import { beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import { Limiter } from './limiter.js';

describe('slots', () => {
  beforeAll(() => Logger.overrideLogger(false));

  it('are as many for one key, and for all, as were given', () => {
    const limiter = new Limiter({ inAll: 3, perKey: 2 });
    const taken = ['a', 'a', 'a', 'b', 'b'].map((key) => limiter.tryTake(key));
    expect(taken.map((release) => release !== null)).toEqual([true, true, false, true, false]);
    expect(limiter.isFull).toBe(true);
    taken[0]?.();
    // Only the first call counts.
    taken[0]?.();
    expect(['b', 'c'].map((key) => limiter.tryTake(key) !== null)).toEqual([true, false]);
  });

  it('are refused to a tenant with the reason', () => {
    const limiter = Limiter.ofTenants('imports', { perTenant: 1, inAll: 2 });
    limiter.take('acme');
    expect(() => limiter.take('acme')).toThrow(
      'There are 1 imports of this tenant under way; try again when one has ended.',
    );
    limiter.take('other');
    expect(() => limiter.take('third')).toThrow(
      'There are 2 imports of all tenants under way; try again when one has ended.',
    );
  });

  it('that are shared leave one for the next key, whichever keys hold theirs', () => {
    const keys = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 60 });
    const property = fc.property(keys, fc.integer({ min: 32, max: 64 }), (takers, inAll) => {
      const limiter = new Limiter({ inAll, perKey: 'share' });
      for (const key of takers) limiter.tryTake(key);
      expect(limiter.tryTake('newcomer')).not.toBeNull();
    });
    fc.assert(property);
  });

  it('that are shared are half of them for one key alone', () => {
    const limiter = new Limiter({ inAll: 64, perKey: 'share' });
    const taken = Array.from({ length: 64 }, () => limiter.tryTake('a')).filter((release) => release !== null);
    expect(taken).toHaveLength(32);
  });
});
