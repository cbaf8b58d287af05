import type { ZoneEntity } from '../../zones/zone.entity.js';
import type { RecordContent } from '../record-content.js';
import type { SetKey } from '../record-set.entity.js';
import type { RecordOperation } from './record-operation.js';
import type { ZoneState } from './state/zone-state.js';

/** A change whose operations follow from what the zone has: what they can touch is loaded first. */
export interface DeferredOperations {
  readonly scope: OperationScope;
  /** In single operations. */
  readonly size: number;
  /**
   * What is to be done.
   * @param state of the zone as the changes before this one have left it
   * @param zone the same of its own row, which `state` has as it was loaded
   * @throws ServiceError, which is then what became of the change
   */
  operations(state: ZoneState, zone: Readonly<ZoneEntity>): readonly RecordOperation[];
}

/** What a plan may look at, and what it may write. */
export interface OperationScope {
  /** What may be written. */
  readonly contents: readonly RecordContent[];
  /** Sets whose records are all needed. */
  readonly wholeSets: readonly SetKey[];
  /** Keys of names of which only the sets are needed. */
  readonly owners: readonly string[];
  /** Keys of names whose records are all needed. */
  readonly wholeOwners: readonly string[];
}

export const EMPTY_SCOPE: OperationScope = { contents: [], wholeSets: [], owners: [], wholeOwners: [] };
