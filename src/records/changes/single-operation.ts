import type { ChangeCompanion } from '../../zones/changes/change-companion.js';
import { OperationsRefused } from './operation-list.js';
import type { ChangeResult } from './record-operation.js';

/** What alone the one operation of a list is refused for. */
export function refusalOfOne(error: unknown): Error {
  if (error instanceof OperationsRefused) return error.faults[0]?.error ?? error;
  return error instanceof Error ? error : new Error(String(error));
}

/**
 * The companion of a single operation, as that of a list of one.
 * @param resultOf what the operation did
 */
export function companionOfOne<Result>(
  companion: ChangeCompanion<Result>,
  resultOf: (done: ChangeResult) => Result,
): ChangeCompanion<ChangeResult> {
  return {
    load: (tx, zone) => companion.load?.(tx, zone) ?? Promise.resolve(),
    admit: (zone) => companion.admit?.(zone),
    write: (tx, outcome) => {
      const ofOne = 'error' in outcome ? { error: refusalOfOne(outcome.error) } : { value: resultOf(outcome.value) };
      return companion.write?.(tx, ofOne) ?? Promise.resolve();
    },
  };
}
