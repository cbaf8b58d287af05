import type { ChangeHook } from '../../zones/changes/change-hook.js';
import { OperationsRefused } from './operation-list.js';
import type { ChangeResult } from './record-operation.js';

/** What alone the one operation of a list is refused for. */
export function refusalOfOne(error: unknown): Error {
  if (error instanceof OperationsRefused) return error.faults[0]?.error ?? error;
  return error instanceof Error ? error : new Error(String(error));
}

/**
 * The hook of a single operation, as that of a list of one.
 * @param resultOf what the operation did
 */
export function hookOfOne<Result>(
  hook: ChangeHook<Result>,
  resultOf: (done: ChangeResult) => Result,
): ChangeHook<ChangeResult> {
  return {
    load: (tx, zone) => hook.load?.(tx, zone) ?? Promise.resolve(),
    admit: (zone) => hook.admit?.(zone),
    write: (tx, outcome) => {
      const ofOne = 'error' in outcome ? { error: refusalOfOne(outcome.error) } : { value: resultOf(outcome.value) };
      return hook.write?.(tx, ofOne) ?? Promise.resolve();
    },
  };
}
