import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';

import { expectStable } from '../../../test/support/describe-type.js';
import { RdataError, type RecordType } from './record-type.js';
import { INTERFACE_TYPES, STANDARD_TYPES, genericType } from './index.js';

interface RdataCase {
  readonly type: string;
  readonly data: string;
  readonly priority?: number | string;
  readonly expect: 'accept' | 'reject' | 'policy';
  readonly note: string;
  /** The whole RDATA; one for each server where they differ. */
  readonly wire?: string | null | Readonly<Record<string, string>>;
}

const CASES = JSON.parse(readFileSync('test/data/rdata-cases.json', 'utf8')) as RdataCase[];
const TYPES = new Map([...STANDARD_TYPES, genericType('TYPE65280') as RecordType].map((type) => [type.name, type]));

describe('the reference of record data', () => {
  it.each(CASES.filter((c) => TYPES.has(c.type)).map((c) => [c.type, c.data.slice(0, 60), c.expect, c] as const))(
    '%s %j: %s',
    (_type, _data, verdict, c) => {
      if (verdict === 'accept') expect(accepts(c)).toBe(true);
      if (verdict === 'reject') expect(accepts(c)).toBe(false);
    },
  );
});
function accepts(c: RdataCase): boolean {
  const type = TYPES.get(c.type) as RecordType;
  const p = c.priority ?? null;
  if (typeof p === 'string') return false;
  try {
    const r = type.parse(c.data, p);
    if (typeof c.wire === 'string') expect(Buffer.from(r).toString('hex')).toBe(c.wire);
    expectStable(type, r);
    return true;
  } catch (e) {
    if (!(e instanceof RdataError)) throw e;
    return false;
  }
}
