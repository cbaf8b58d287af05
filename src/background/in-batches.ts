import type { Transaction } from '../database/transaction.js';
import type { UnitOfWork } from '../database/unit-of-work.js';

/**
 * A run that removes in portions, between which others write.
 * @param remove removes some, and returns whether there may be more
 */
export function inBatches(
  unitOfWork: UnitOfWork,
  remove: (tx: Transaction) => Promise<boolean>,
): (signal: AbortSignal) => Promise<void> {
  return async (signal) => {
    while (!signal.aborted && (await unitOfWork.run(remove, { queue: 'cleanups' })));
  };
}
