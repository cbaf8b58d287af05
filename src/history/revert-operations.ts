import type { Instant } from '../common/clock.js';
import { because } from '../common/refusal-facts.js';
import { ServiceError } from '../common/service-error.js';
import type { RecordTypes } from '../dns/rdata/index.js';
import { readRecordContent } from '../records/record-content.js';
import type { RecordOperation } from '../records/changes/record-operation.js';
import type { OperationFault } from '../records/changes/state/change-session.js';
import { differenceOf, type RecordDifference } from './record-differences.js';

/** What makes records what they were. */
export interface Reversion {
  readonly operations: readonly RecordOperation[];
  /** Of the difference that each of them comes from. */
  readonly indexes: readonly number[];
  /** Differences that no operation could make any more. */
  readonly faults: readonly OperationFault[];
}

/**
 * One operation for each difference from now to then (behaviour 11.3). A record that was deleted comes back under its id,
 * unless it was to expire by now: what has had its time does not come back, and a record keeps the time that it has.
 * @param types those that the service takes today
 */
export function reversionOf(
  differences: readonly (RecordDifference & { readonly hasChangedSince?: boolean })[],
  types: RecordTypes,
  now: Instant,
): Reversion {
  const operations: RecordOperation[] = [];
  const indexes: number[] = [];
  const faults: OperationFault[] = [];
  for (const [index, difference] of differences.entries()) {
    if (!isToBeMade(difference, now)) continue;
    if (difference.hasChangedSince === true) {
      faults.push({ index, error: changedSince(difference) });
      continue;
    }
    try {
      operations.push(operationOf(difference, types, now));
      indexes.push(index);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      faults.push({ index, error });
    }
  }
  return { operations, indexes, faults };
}

function changedSince({ before, after }: RecordDifference): ServiceError {
  const { name, type } = before ?? after;
  return ServiceError.ofField(
    'precondition_failed',
    '',
    'enum',
    `${name} ${type} has been changed since; undo the later change first, or change it by hand.`,
    because('changed_since', { name, type }),
  );
}

function isToBeMade({ action, before, after }: RecordDifference, now: Instant): boolean {
  if (action === 'delete' || !isOver(after, now)) return true;
  return action === 'update' && differenceOf(before, { ...after, expiresAt: before.expiresAt ?? null }) !== null;
}

function isOver({ expiresAt = null }: { readonly expiresAt?: Instant | null }, now: Instant): boolean {
  return expiresAt !== null && expiresAt <= now;
}

function operationOf(difference: RecordDifference, types: RecordTypes, now: Instant): RecordOperation {
  const { action, before, after, latestVersion } = difference;
  switch (action) {
    case 'create': {
      const { id, createdAt } = after;
      return { action, content: readRecordContent(types, after), former: { id, createdAt, version: latestVersion } };
    }
    case 'update': {
      const { name, data, priority, ttl, description, expiresAt = null } = after;
      const fields = { name, data, priority, ttl, description };
      return { action, id: before.id, fields: isOver(after, now) ? fields : { ...fields, expiresAt } };
    }
    case 'delete':
      return { action, id: before.id };
  }
}
