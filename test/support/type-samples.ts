import fc from 'fast-check';
import type { RecordType } from '../../src/dns/rdata/index.js';
import { validRdata } from './valid-rdata.js';

/** Codes of nameless types, unassigned and private. */
export const OPAQUE_CODES = [31, 32, 100, 65280];

/**
 * Random RDATA that is right, and RDATA with one octet changed, as far as the type accepts it.
 * @param count how many values of either kind are tried
 */
export function typeSamples(type: RecordType, count: number, seed: number): Uint8Array[] {
  const valid = fc.sample(validRdata(type), { numRuns: count, seed });
  const nearly = valid.map((rdata, at) => {
    const changed = Uint8Array.from(rdata);
    if (changed.length > 0) changed[(at * 7) % changed.length] = (at * 31) & 0xff;
    return changed;
  });
  return [...valid, ...nearly].filter((rdata) => isAccepted(type, rdata));
}

function isAccepted(type: RecordType, rdata: Uint8Array): boolean {
  try {
    type.check(rdata);
    return true;
  } catch {
    return false;
  }
}
