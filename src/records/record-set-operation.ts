import type { ZoneEntity } from '../zones/zone.entity.js';
import type { RecordContent } from './record-content.js';
import type { RecordSetEntity, SetKey } from './record-set.entity.js';
import type { RecordEntity } from './record.entity.js';

/** One thing that is to become of a record set as a whole. */
export type RecordSetOperation = CreateSetOperation | UpdateSetOperation | DeleteSetOperation;

/** Makes a set that is not there yet; it may have no records. */
export interface CreateSetOperation extends SetKey {
  readonly action: 'create set';
  /** Owner name as sent. */
  readonly name: string;
  /** Seconds; `null`: the zone's. */
  readonly ttl: number | null;
  readonly description: string | null;
  /** With the ttl and the description of the set. */
  readonly contents: readonly RecordContent[];
}

/** Gives a set other records, another ttl or another description; what is left out stays as it is. */
export interface UpdateSetOperation extends SetKey {
  readonly action: 'update set';
  /** Of the set: by then there may be another one in its place. */
  readonly setId: string;
  /** All of its records. Those that are there already keep their ids; without any, the set is kept empty. */
  readonly contents?: readonly RecordContent[] | undefined;
  readonly ttl?: number | null | undefined;
  readonly description?: string | null | undefined;
}

/** Removes a set with its records. */
export interface DeleteSetOperation extends SetKey {
  readonly action: 'delete set';
  readonly setId: string;
}

/** The set as the operation has left it, or as it was before it was deleted. */
export interface DoneSetOperation {
  readonly zone: Pick<ZoneEntity, 'name' | 'nameKey' | 'tenantId'>;
  readonly set: Readonly<RecordSetEntity>;
  /** In the order of their creation. */
  readonly records: readonly RecordEntity[];
}
