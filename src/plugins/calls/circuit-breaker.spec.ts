import { beforeEach, describe, expect, it } from '@jest/globals';
import { CircuitBreaker } from './circuit-breaker.js';

const SECOND = 1000;

describe('a plugin that has not answered', () => {
  let suspension: CircuitBreaker;
  beforeEach(() => {
    suspension = new CircuitBreaker();
  });
  const isAsked = (tenantId: string | null, now: number): boolean => suspension.remaining(tenantId, now) === null;

  it('is not asked for that tenant, and for others it is', () => {
    expect(suspension.recordOverdue('hanging', 0, 0)).toBe(10 * SECOND);
    expect(isAsked('hanging', 9 * SECOND)).toBe(false);
    expect(isAsked('other', 0)).toBe(true);
  });

  it('is tried by one call when the time is over', () => {
    suspension.recordOverdue('hanging', 0, 0);
    expect(isAsked('hanging', 11 * SECOND)).toBe(true);
    expect(isAsked('hanging', 11 * SECOND)).toBe(false);
  });

  it('is left alone for twice as long each time, up to a minute', () => {
    const pauses = [0, 20, 60, 140, 210].map((at) => suspension.recordOverdue('hanging', at * SECOND, at * SECOND));
    expect(pauses).toEqual([10, 20, 40, 60, 60].map((seconds) => seconds * SECOND));
  });

  it('is asked for others when many calls of one tenant were overdue at once', () => {
    const pauses = Array.from({ length: 5 }, () => suspension.recordOverdue('hanging', 0, 500));
    expect(pauses).toEqual(Array(5).fill(10 * SECOND));
    expect(isAsked('hanging', 600)).toBe(false);
    expect(isAsked('other', 600)).toBe(true);
  });

  it('is asked for nobody when calls of three tenants were overdue, until one is answered', () => {
    for (const tenantId of ['a', 'b', 'c']) suspension.recordOverdue(tenantId, 0, 500);
    expect(isAsked('other', 600)).toBe(false);
    expect(isAsked('other', 11 * SECOND)).toBe(true);
    expect(isAsked('another', 11 * SECOND)).toBe(false);
    suspension.recordInTime('other', 11 * SECOND);
    expect(isAsked('another', 11 * SECOND)).toBe(true);
  });

  it('goes on to be asked where somebody was answered meanwhile', () => {
    suspension.recordInTime('other', 100);
    for (const tenantId of ['a', 'b', 'c', 'd']) suspension.recordOverdue(tenantId, 0, 500);
    expect(isAsked('other', 600)).toBe(true);
  });

  it('goes on to be asked where no tenant is known and one call was overdue', () => {
    suspension.recordOverdue(null, 0, 0);
    expect(isAsked(null, 1)).toBe(true);
  });

  it('is no longer shown as failing when it answers, or two minutes later', () => {
    suspension.recordOverdue('hanging', 0, 0);
    expect(suspension.isAny(60 * SECOND)).toBe(true);
    expect(suspension.isAny(130 * SECOND)).toBe(false);
    suspension.recordOverdue('hanging', 0, 0);
    suspension.recordInTime('hanging', 1);
    expect(suspension.isAny(1)).toBe(false);
  });
});
