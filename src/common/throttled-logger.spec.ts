import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ThrottledLogger } from './throttled-logger.js';

const said: unknown[] = [];
let warning: ThrottledLogger;

beforeEach(() => {
  jest.useFakeTimers();
  said.length = 0;
  jest.spyOn(Logger.prototype, 'warn').mockImplementation((message: unknown) => void said.push(message));
  warning = new ThrottledLogger();
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

/** The trouble comes up once a second. */
function last(seconds: number): void {
  for (let second = 0; second < seconds; second += 1) {
    warning.warn('It hangs.');
    jest.advanceTimersByTime(1000);
  }
}

describe('16.4 a trouble', () => {
  it('is logged immediately, then once a minute', () => {
    last(1);
    expect(said).toEqual(['It hangs.']);
    last(150);
    expect(said).toEqual(['It hangs.', 'It hangs.', 'It hangs.']);
  });

  it('logs recovery once, however often checks succeed', () => {
    last(10);
    for (let second = 0; second < 20; second += 1) {
      warning.over('It goes on.');
      jest.advanceTimersByTime(1000);
    }
    expect(said).toEqual(['It hangs.', 'It goes on.']);
  });

  it('is over when a single success was the last that was heard', () => {
    last(1);
    warning.over('It goes on.');
    jest.advanceTimersByTime(10_000);
    expect(said).toEqual(['It hangs.', 'It goes on.']);
  });

  it('continues while successes and failures alternate', () => {
    for (let second = 0; second < 50; second += 1) {
      warning.warn('It hangs.');
      jest.advanceTimersByTime(500);
      warning.over('It goes on.');
      jest.advanceTimersByTime(500);
    }
    expect(said).toEqual(['It hangs.']);
  });

  it('that recurs after recovery is logged immediately', () => {
    last(1);
    warning.over('It goes on.');
    jest.advanceTimersByTime(10_000);
    last(1);
    expect(said).toEqual(['It hangs.', 'It goes on.', 'It hangs.']);
  });

  it('that never was has no end', () => {
    warning.over('It goes on.');
    jest.advanceTimersByTime(10_000);
    expect(said).toEqual([]);
  });
});
