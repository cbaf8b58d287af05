import type { Labels } from '../../common/labels.js';
import type { ZoneAmendment } from '../../zones/changes/zone-change.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import type { RecordContent, RecordUpdate } from '../record-content.js';
import type { RecordSetEntity, SetKey } from '../record-set.entity.js';
import type { RecordEntity } from '../record.entity.js';
import type { DisabledRecord, SetComment } from '../annotated-sets.repository.js';
import type { ZoneState } from './state/zone-state.js';

export type RecordOperation =
  | CreateOperation
  | UpdateOperation
  | DeleteOperation
  | ReplaceOperation
  | CreateSetOperation
  | UpdateSetOperation
  | DeleteSetOperation
  | AmendSetOperation
  | LabelSetOperation
  | AmendZoneOperation;

/** Operations on one record. */
interface OfRecord {
  /** Does nothing to addresses that the service sets. For reversions. */
  readonly leavesFollowed?: boolean;
}

export interface CreateOperation extends OfRecord {
  readonly action: 'create';
  readonly content: RecordContent;
  /** State before the deletion; absent for a new record. */
  readonly former?: FormerRecord;
}

/** A restored record keeps its identity in a later version. */
export type FormerRecord = Pick<RecordEntity, 'id' | 'version' | 'createdAt'>;

export interface UpdateOperation extends OfRecord {
  readonly action: 'update';
  readonly id: string;
  readonly fields: RecordUpdate;
  readonly expect?: Expectation;
}

export interface DeleteOperation extends OfRecord {
  readonly action: 'delete';
  readonly id: string;
  readonly expect?: Expectation;
}

/**
 * Precondition of an operation, checked inside the change.
 * @throws ServiceError
 */
export type Expectation = (record: RecordEntity) => void;

/** A record of a replacement. An existing record keeps the fields in `leftOut`. */
export interface ReplacingContent extends RecordContent {
  readonly leftOut?: readonly LeftField[];
}

type LeftField = 'description' | 'expiresAt';

export const NO_NOTES: readonly LeftField[] = ['description', 'expiresAt'];

/** Replaces all records of a set. Existing records keep their ids; an empty list removes the set. */
export interface ReplaceOperation {
  readonly action: 'replace';
  readonly ownerKey: string;
  readonly type: string;
  readonly contents: readonly ReplacingContent[];
  /** Checks each content inside the change. `before` is the existing record, or `null`. */
  readonly expect?: (content: RecordContent, before: RecordEntity | null) => void;
  /** Runs inside the change if the record set gets its first records. */
  readonly expectNew?: () => void;
}

export interface CreateSetOperation extends SetKey {
  readonly action: 'create set';
  readonly name: string;
  readonly ttl: number | null;
  readonly description: string | null;
  readonly labels?: Labels | undefined;
  readonly contents: readonly RecordContent[];
}

/** Absent fields keep their values. */
export interface UpdateSetOperation extends SetKey {
  readonly action: 'update set';
  /** Detects a set that was deleted and created again meanwhile. */
  readonly setId: string;
  /** All records. Existing records keep their ids; an empty list keeps an empty set. */
  readonly contents?: readonly RecordContent[] | undefined;
  readonly ttl?: number | null | undefined;
  readonly description?: string | null | undefined;
  readonly labels?: Labels | undefined;
}

export interface DeleteSetOperation extends SetKey {
  readonly action: 'delete set';
  readonly setId: string;
}

/** Changes, creates or, without records and annotations, removes a set. Absent fields keep their values. */
export interface AmendSetOperation extends SetKey {
  readonly action: 'amend set';
  readonly name: string;
  /** All records. Existing records keep their ids and descriptions. */
  readonly contents?: readonly RecordContent[] | undefined;
  /** Records to add. Existing records with this content stay unchanged. */
  readonly added?: readonly AddedRecord[] | undefined;
  /** Fingerprints of records to remove, disabled or not. */
  readonly removed?: readonly string[] | undefined;
  readonly disabled?: readonly DisabledRecord[] | undefined;
  readonly comments?: readonly SetComment[] | undefined;
  /** Seconds. Applies to an empty set. */
  readonly ttl?: number | null | undefined;
  /** Precondition; `null` if the set is absent or empty. */
  readonly expect?: (set: Readonly<RecordSetEntity> | null) => void;
  /** Precondition; without records if the set is absent or empty. */
  readonly expectRecords?: (records: readonly RecordEntity[]) => void;
  /** Whether `contents` leave the records unchanged: the caller sees them in a larger set, and sends that set back. */
  readonly keepsRecords?: (zone: Readonly<ZoneEntity>, records: readonly RecordEntity[]) => boolean;
}

export interface AddedRecord {
  readonly content: RecordContent;
  readonly isDisabled: boolean;
}

/** Sets all labels of a set, which has to have records after the change (behaviour 7.8). */
export interface LabelSetOperation extends SetKey {
  readonly action: 'label set';
  readonly name: string;
  readonly labels: Labels;
  /** Checks the labels inside the change. @throws ServiceError */
  readonly expect?: (labels: Labels) => void;
}

export interface AmendZoneOperation {
  readonly action: 'amend zone';
  /** Runs inside the change. `recordsOf` has the sets that other operations of the list have already changed. */
  readonly amend: (zone: Readonly<ZoneEntity>, recordsOf: (set: SetKey) => readonly RecordEntity[]) => ZoneAmendment;
}

export type DoneOperation =
  | { readonly action: 'amend set' | 'amend zone' | 'label set'; readonly records: readonly [] }
  | { readonly action: 'create' | 'update'; readonly record: RecordEntity }
  /** State before the deletion. */
  | { readonly action: 'delete'; readonly record: RecordEntity }
  /** Records after the change, in the order of the contents. */
  | { readonly action: 'replace'; readonly records: readonly RecordEntity[] }
  | DoneSetOperation;

/** Labels may change together with the records of their set, which need not be loaded. */
export function isOnWholeSet(
  operation: RecordOperation,
): operation is Exclude<Extract<RecordOperation, SetKey>, LabelSetOperation> {
  return 'ownerKey' in operation && operation.action !== 'label set';
}

/** The set after the operation, or before its deletion. */
export interface DoneSetOperation {
  readonly action: 'create set' | 'update set' | 'delete set';
  readonly zone: Pick<ZoneEntity, 'name' | 'nameKey' | 'tenantId'>;
  readonly set: Readonly<RecordSetEntity>;
  readonly records: readonly RecordEntity[];
}

/** A change that derives its operations from the zone. The scope is loaded first. */
export interface DeferredOperations {
  readonly scope: OperationScope;
  /** In operations. */
  readonly size: number;
  /**
   * @param state zone after the previous changes of the batch
   * @param zone its row; `state` has the loaded row
   * @throws ServiceError, which becomes the result of the change
   */
  operations(state: ZoneState, zone: Readonly<ZoneEntity>): readonly RecordOperation[];
}

export interface OperationScope {
  readonly contents: readonly RecordContent[];
  readonly wholeSets: readonly SetKey[];
  readonly owners: readonly string[];
  readonly wholeOwners: readonly string[];
}

export const EMPTY_SCOPE: OperationScope = { contents: [], wholeSets: [], owners: [], wholeOwners: [] };
