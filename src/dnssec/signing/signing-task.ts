import type { WireSet } from '../../dns/dnssec/wire-set.js';
import type { SigningKeys } from '../../dns/dnssec/zone-signer.js';
import type { WireRecord } from '../../publishing/transfers/signed-zones.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import type { SignedSetEntity } from '../state/signed-set.entity.js';
import type { ZoneSigningEntity } from '../state/zone-signing.entity.js';

/** How far a zone is signed, and where the rows are that say it. */
export interface SignedBase {
  /** As it was read. */
  readonly row: ZoneSigningEntity;
  readonly generation: number;
  /** The version of the contents that the rows belong to. */
  readonly version: number;
  /** Whether nobody has been sent these rows: then there is no difference to what name servers have. */
  readonly isFresh: boolean;
}

/** What has to be done so that the rows of a base say what a zone is now. */
export interface SigningTask {
  readonly zone: ZoneEntity;
  readonly base: SignedBase;
  /** Under which it will be published. */
  readonly serial: number;
  readonly keys: SigningKeys;
  /** The SOA is among them. */
  readonly toSign: readonly SetToSign[];
  readonly gone: readonly SignedSetEntity[];
  /** Of the zone's own records, without signatures. */
  readonly removed: readonly WireRecord[];
  readonly added: readonly WireRecord[];
}

export interface SetToSign {
  readonly set: WireSet;
  /** What takes its place; `null` for a set that was not signed. */
  readonly before: SignedSetEntity | null;
}
