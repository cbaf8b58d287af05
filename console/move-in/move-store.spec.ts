import { beforeEach, describe, expect, it } from '@jest/globals';
import { newMove } from './move.js';
import { countMoves, forgetAllMoves, forgetMove, keepMove, LONGEST_TEXT, MOST_MOVES, moveOf } from './move-store.js';

/** The items are its properties, as those of the browser. */
class Storage {
  [key: string]: unknown;
  getItem(key: string): string | null {
    return Object.hasOwn(this, key) ? String(this[key]) : null;
  }
  setItem(key: string, value: string): void {
    this[key] = value;
  }
  removeItem(key: string): void {
    Reflect.deleteProperty(this, key);
  }
}

describe('22.17 moves in the browser', () => {
  beforeEach(() => {
    Object.assign(globalThis, { localStorage: new Storage() });
    forgetAllMoves();
  });

  it('keep the step and the text of a domain, for one tenant', () => {
    keepMove('acme', { ...newMove('Example.ORG.'), step: 'records', text: 'www A 192.0.2.1' });
    expect(moveOf('acme', 'example.org.')).toMatchObject({ step: 'records', text: 'www A 192.0.2.1' });
    expect(moveOf('acme/example.org.', '')).toBeNull();
    expect(moveOf('other', 'example.org.')).toBeNull();
    forgetMove('acme', 'example.org.');
    expect(countMoves()).toBe(0);
  });

  it('keep no text that is too long for a reload', () => {
    keepMove('acme', { ...newMove('example.org.'), text: 'x'.repeat(LONGEST_TEXT + 1) });
    expect(JSON.stringify(localStorage).length).toBeLessThan(1000);
    expect(moveOf('acme', 'example.org.')?.text).toHaveLength(LONGEST_TEXT + 1);
  });

  it('are bounded, and drop the oldest', () => {
    for (let n = 0; n <= MOST_MOVES; n += 1) keepMove('acme', newMove(`d${n}.example.`));
    expect(countMoves()).toBe(MOST_MOVES);
    expect(moveOf('acme', `d${MOST_MOVES}.example.`)).not.toBeNull();
  });
});
