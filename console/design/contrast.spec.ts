import { describe, expect, it } from '@jest/globals';
import { contrast, hex, over, parseColor } from './contrast.js';

describe('contrasts of the design page', () => {
  it('reads computed colors', () => {
    expect(parseColor('rgb(31, 95, 214)')).toEqual([31, 95, 214, 1]);
    expect(parseColor('rgba(0, 0, 0, 0.16)')).toEqual([0, 0, 0, 0.16]);
    expect(parseColor('color(srgb 1 0.5 0 / 0.08)')).toEqual([255, 127.5, 0, 0.08]);
  });

  it('is 21 for black on white, and 4.54 for the lightest gray that passes', () => {
    expect(contrast([0, 0, 0, 1], [255, 255, 255, 1])).toBeCloseTo(21);
    expect(contrast([255, 255, 255, 1], [118, 118, 118, 1])).toBeCloseTo(4.54, 2);
  });

  it('mixes a tint with its ground', () => {
    expect(hex(over([0, 0, 0, 0.5], [255, 255, 255, 1]))).toBe('#808080');
  });
});
