import type { RecordSnapshot } from '../../zones/journal/journal-format.js';
import type { ZoneAmendment } from '../../zones/changes/zone-change.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import type { RecordContent, RecordUpdate } from '../record-content.js';
import type { RecordSetEntity, SetKey } from '../record-set.entity.js';
import type { RecordEntity } from '../record.entity.js';
import type { DisabledRecord, SetComment } from '../set-annotations.js';

/** One thing that is to become different in a zone: of a record, or of a record set as a whole. */
export type RecordOperation =
  | CreateOperation
  | UpdateOperation
  | DeleteOperation
  | ReplaceOperation
  | CreateSetOperation
  | UpdateSetOperation
  | DeleteSetOperation
  | AmendSetOperation
  | AmendZoneOperation;

export interface CreateOperation {
  readonly action: 'create';
  readonly content: RecordContent;
  /** What the record was before it was deleted; a new record is another one. */
  readonly former?: FormerRecord;
}

/** A record that comes back is the one that it was, in a later version. */
export type FormerRecord = Pick<RecordEntity, 'id' | 'version' | 'createdAt'>;

export interface UpdateOperation {
  readonly action: 'update';
  readonly id: string;
  /** What is said of the record; what is left out keeps its value. */
  readonly fields: RecordUpdate;
  readonly expect?: Expectation;
}

export interface DeleteOperation {
  readonly action: 'delete';
  readonly id: string;
  readonly expect?: Expectation;
}

/**
 * What a record has to be for an operation to be carried out; it is asked inside the change.
 * @throws ServiceError
 */
export type Expectation = (record: RecordEntity) => void;

/** A record of a replacement, and which of its fields the caller has left out: what is there keeps them. */
export interface ReplacingContent extends RecordContent {
  readonly leftOut?: readonly LeftField[];
}

type LeftField = 'description' | 'expiresAt';

/** What an interface leaves out that has neither field. */
export const NO_NOTES: readonly LeftField[] = ['description', 'expiresAt'];

/** Gives a record set exactly these records; those that are there already keep their ids, and an empty list removes it. */
export interface ReplaceOperation {
  readonly action: 'replace';
  /** `DomainName.key` of the owner name. */
  readonly ownerKey: string;
  readonly type: string;
  /** All of that owner name and type. */
  readonly contents: readonly ReplacingContent[];
  /**
   * Asked of each of them inside the change, with the record that it stands for; `null` where that is not there yet.
   * @throws ServiceError
   */
  readonly expect?: (content: RecordContent, before: RecordEntity | null) => void;
  /**
   * Asked inside the change where the record set has no records yet and gets some.
   * @throws ServiceError
   */
  readonly expectNew?: () => void;
}

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

/**
 * Changes a set, whether it is there or not, with what is kept beside its records; what is left out stays. A set that has
 * neither records nor anything beside them is removed.
 */
export interface AmendSetOperation extends SetKey {
  readonly action: 'amend set';
  /** Owner name as sent. */
  readonly name: string;
  /** All of its records. Those that are there already keep their ids and descriptions. */
  readonly contents?: readonly RecordContent[] | undefined;
  /** Instead of some others, or beside them; what is there already stays as it is. */
  readonly added?: readonly AddedRecord[] | undefined;
  /** Fingerprints of records, disabled or not, that are not to be there any more. */
  readonly removed?: readonly string[] | undefined;
  readonly disabled?: readonly DisabledRecord[] | undefined;
  readonly comments?: readonly SetComment[] | undefined;
  /** Seconds: of the set while it has no records. */
  readonly ttl?: number | null | undefined;
  /**
   * What the set has to be; `null` where it is not there, or has no records.
   * @throws ServiceError
   */
  readonly expect?: (set: Readonly<RecordSetEntity> | null) => void;
  /** Whether `contents` leave the records as they are: the caller sees them in a larger set, and has sent that back. */
  readonly keepsRecords?: (zone: Readonly<ZoneEntity>, records: readonly RecordEntity[]) => boolean;
}

export interface AddedRecord {
  readonly content: RecordContent;
  readonly isDisabled: boolean;
}

/** Changes the zone itself together with what is in it. */
export interface AmendZoneOperation {
  readonly action: 'amend zone';
  /**
   * Says what is to become different, inside the change.
   * @param recordsOf the records of a set that another operation of the list is about, as that set is by then
   * @throws ServiceError
   */
  readonly amend: (zone: Readonly<ZoneEntity>, recordsOf: (set: SetKey) => readonly RecordEntity[]) => ZoneAmendment;
}

/** What an operation did. */
export type DoneOperation =
  /** Nobody asks which records. */
  | { readonly action: 'amend set' | 'amend zone'; readonly records: readonly [] }
  | { readonly action: 'create' | 'update'; readonly record: RecordEntity }
  /** The record that was. */
  | { readonly action: 'delete'; readonly record: RecordEntity }
  /** The records of the set as it is now, in the order of the contents. */
  | { readonly action: 'replace'; readonly records: readonly RecordEntity[] }
  | DoneSetOperation;

/** The set as the operation has left it, or as it was before it was deleted. */
export interface DoneSetOperation {
  readonly action: 'create set' | 'update set' | 'delete set';
  readonly zone: Pick<ZoneEntity, 'name' | 'nameKey' | 'tenantId'>;
  readonly set: Readonly<RecordSetEntity>;
  /** In the order of their creation. */
  readonly records: readonly RecordEntity[];
}

/** What a list of operations did. */
export interface ChangeResult {
  /** The zone's serial after it. */
  readonly serial: number;
  /** And before it. */
  readonly formerSerial: number;
  /** In the order of the operations. */
  readonly operations: readonly DoneOperation[];
  /** Whether the caller is a grantee in the zone: the sets that it has made are its own. */
  readonly isByGrantee: boolean;
  /** What it would make of the zone; `null` where it has been done. */
  readonly dryRun: DryRunResult | null;
}

/** What a change would make of its zone that is only tried. */
export interface DryRunResult {
  /** Of each record that would become different, what it is and what it would be; `null` where it is not there. */
  readonly differences: readonly { readonly before: RecordSnapshot | null; readonly after: RecordSnapshot | null }[];
  /** In the zone after it. */
  readonly recordCount: number;
  readonly recordSetCount: number;
}
