import { isKeyWithin } from '../name-key.js';
import { Type } from './codes.js';

/**
 * What a name is to the zone: one of its own; a cut, from which another zone goes on; or occluded, below a cut or a DNAME
 * (RFC 4034 §2.2, RFC 2136 §7.18).
 */
export type Authority = 'own' | 'cut' | 'occluded';

/** @param types the types of the records at the name */
export function authorityAt(isApex: boolean, isOccluded: boolean, types: readonly number[]): Authority {
  if (isOccluded) return 'occluded';
  return !isApex && types.includes(Type.NS) ? 'cut' : 'own';
}

/** Whether what stands below a name with records of these types is occluded. */
export function occludes(isApex: boolean, types: readonly number[]): boolean {
  return types.includes(Type.DNAME) || (!isApex && types.includes(Type.NS));
}

/** Those of the types at a name whose sets are signed: at a cut only DS is the zone's own (RFC 4035 §2.2). */
export function signedTypes(authority: Authority, types: readonly number[]): readonly number[] {
  if (authority === 'own') return types;
  return authority === 'cut' ? types.filter((type) => type === Type.DS) : [];
}

/** Those of the types that a proof about the name says are there (RFC 4035 §2.3). */
export function provenTypes(authority: Authority, types: readonly number[]): readonly number[] {
  if (authority === 'own') return types;
  return authority === 'cut' ? types.filter((type) => type === Type.DS || type === Type.NS) : [];
}

/** Tells of names that come in canonical order which of them are occluded. */
export class Occlusion {
  private occluder: string | null = null;

  constructor(private readonly apexKey: string) {}

  /** @param types the types at the name; it is asked once of each name */
  authorityOf(key: string, types: readonly number[]): Authority {
    const isApex = key === this.apexKey;
    const isOccluded = this.occluder !== null && isKeyWithin(key, this.occluder);
    if (!isOccluded) this.occluder = occludes(isApex, types) ? key : null;
    return authorityAt(isApex, isOccluded, types);
  }
}
