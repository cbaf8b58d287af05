import type { RecordContent, RecordUpdate } from './record-content.js';
import type { RecordEntity } from './record.entity.js';

/** One thing that is to become different in a zone. */
export type RecordOperation = CreateOperation | UpdateOperation | DeleteOperation | ReplaceOperation;

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

/** Gives a record set exactly these records; those that are there already keep their ids, and an empty list removes it. */
export interface ReplaceOperation {
  readonly action: 'replace';
  /** `DomainName.key` of the owner name. */
  readonly ownerKey: string;
  readonly type: string;
  /** All of that owner name and type. */
  readonly contents: readonly RecordContent[];
  /**
   * Asked of each of them inside the change, with the record that it stands for; `null` where that is not there yet.
   * @throws ServiceError
   */
  readonly expect?: (content: RecordContent, before: RecordEntity | null) => void;
}

/** What an operation did. */
export type DoneOperation =
  | { readonly action: 'create' | 'update'; readonly record: RecordEntity }
  /** The record that was. */
  | { readonly action: 'delete'; readonly record: RecordEntity }
  /** The records of the set as it is now, in the order of the contents. */
  | { readonly action: 'replace'; readonly records: readonly RecordEntity[] };
