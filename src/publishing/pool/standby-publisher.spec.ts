import { describe, expect, it } from '@jest/globals';
import { SerialsSeen } from './standby-publisher.js';

const zone = (id: string, serial: number) => ({ id, name: `${id}.example.org.`, serial });
const NOTHING = { changed: [], gone: [] };

describe('18.10 the serials that were seen', () => {
  it('report changes, creations and deletions between two comparisons', () => {
    const seen = new SerialsSeen();
    expect(seen.compare([zone('a', 1), zone('b', 4_294_967_295)])).toEqual(NOTHING);
    expect(seen.compare([zone('a', 1), zone('b', 4_294_967_295)])).toEqual(NOTHING);
    expect(seen.compare([zone('a', 2), zone('c', 1)])).toEqual({ changed: [zone('a', 2), zone('c', 1)], gone: ['b'] });
    seen.forget('b');
    expect(seen.compare([zone('a', 2), zone('c', 1)])).toEqual(NOTHING);
  });

  it('do not repeat changes reported meanwhile', () => {
    const seen = new SerialsSeen();
    seen.compare([zone('a', 1)]);
    expect(seen.take(zone('a', 2))).toBe(true);
    expect(seen.take(zone('a', 2))).toBe(false);
    expect(seen.compare([zone('a', 2)])).toEqual(NOTHING);
  });

  it('go through all zones portion by portion', () => {
    const seen = new SerialsSeen();
    const ids = Array.from({ length: 1500 }, (_, at) => `z${String(at).padStart(4, '0')}`);
    const compare = (serial: number) =>
      [ids.slice(0, 1000), ids.slice(1000)].map(
        (some) => seen.compare(some.map((id) => zone(id, serial))).changed.length,
      );
    expect(compare(1)).toEqual([0, 0]);
    expect(seen.isAtBeginning).toBe(true);
    expect(compare(2)).toEqual([1000, 500]);
    expect(compare(2)).toEqual([0, 0]);
  });
});
