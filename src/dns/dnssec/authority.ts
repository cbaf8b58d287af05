import { isKeyWithin } from '../name-key.js';
import { Type } from './wire-set.js';

/** Authoritative, a zone cut, or occluded by a cut or DNAME above it (RFC 4034 §2.2, RFC 2136 §7.18). */
export type Authority = 'own' | 'cut' | 'occluded';

export function authorityAt(isApex: boolean, isOccluded: boolean, types: readonly number[]): Authority {
  if (isOccluded) return 'occluded';
  return !isApex && types.includes(Type.NS) ? 'cut' : 'own';
}

export function occludes(isApex: boolean, types: readonly number[]): boolean {
  return types.includes(Type.DNAME) || (!isApex && types.includes(Type.NS));
}

/** At a cut, only DS is signed (RFC 4035 §2.2). */
export function signedTypes(authority: Authority, types: readonly number[]): readonly number[] {
  if (authority === 'own') return types;
  return authority === 'cut' ? types.filter((type) => type === Type.DS) : [];
}

/** For the NSEC or NSEC3 bitmap (RFC 4035 §2.3). */
export function provenTypes(authority: Authority, types: readonly number[]): readonly number[] {
  if (authority === 'own') return types;
  return authority === 'cut' ? types.filter((type) => type === Type.DS || type === Type.NS) : [];
}

/** Expects each name once, in canonical order. */
export class Occlusion {
  private occluder: string | null = null;

  constructor(private readonly apexKey: string) {}

  authorityOf(key: string, types: readonly number[]): Authority {
    const isApex = key === this.apexKey;
    const isOccluded = this.occluder !== null && isKeyWithin(key, this.occluder);
    if (!isOccluded) this.occluder = occludes(isApex, types) ? key : null;
    return authorityAt(isApex, isOccluded, types);
  }
}
