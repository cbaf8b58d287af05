import { beforeEach, describe, expect, it } from '@jest/globals';
import { CircuitBreaker } from './plugin-call.js';

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

  it('stays open twice as long each time, up to a minute', () => {
    const pauses = [0, 20, 60, 140, 210].map((at) => suspension.recordOverdue('hanging', at * SECOND, at * SECOND));
    expect(pauses).toEqual([10, 20, 40, 60, 60].map((seconds) => seconds * SECOND));
  });

  it('stays closed for other tenants when many calls of one tenant were overdue together', () => {
    const pauses = Array.from({ length: 5 }, () => suspension.recordOverdue('hanging', 0, 500));
    expect(pauses).toEqual(Array(5).fill(10 * SECOND));
    expect(isAsked('hanging', 600)).toBe(false);
    expect(isAsked('other', 600)).toBe(true);
  });

  it('opens for all tenants when calls of three tenants were overdue, until one succeeds', () => {
    for (const tenantId of ['a', 'b', 'c']) suspension.recordOverdue(tenantId, 0, 500);
    expect(isAsked('other', 600)).toBe(false);
    expect(isAsked('other', 11 * SECOND)).toBe(true);
    expect(isAsked('another', 11 * SECOND)).toBe(false);
    suspension.recordInTime('other', 11 * SECOND);
    expect(isAsked('another', 11 * SECOND)).toBe(true);
  });

  it('stays closed when a call succeeded meanwhile', () => {
    suspension.recordInTime('other', 100);
    for (const tenantId of ['a', 'b', 'c', 'd']) suspension.recordOverdue(tenantId, 0, 500);
    expect(isAsked('other', 600)).toBe(true);
  });

  it('stays closed after one overdue call without a tenant', () => {
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
