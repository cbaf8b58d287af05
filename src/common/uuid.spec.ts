import { describe, expect, it } from '@jest/globals';
import { timeOrderedUuid, uuidOfName } from './uuid.js';

const NOW = 1_763_640_000_000_000;

describe('timeOrderedUuid', () => {
  it('begins with the milliseconds, has version 7, the fraction and the variant', () => {
    expect(timeOrderedUuid(0x017f22e279b0 * 1000 + 500)).toMatch(/^017f22e2-79b0-7800-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('grows with each microsecond', () => {
    const ids = Array.from({ length: 3000 }, (_, at) => timeOrderedUuid(NOW + at));
    expect([...ids].sort()).toEqual(ids);
  });

  it('is another each time', () => {
    const ids = Array.from({ length: 3000 }, () => timeOrderedUuid(NOW));
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('uuidOfName', () => {
  it('equals the example of RFC 9562 A.4', () => {
    expect(uuidOfName('www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2');
  });
});
