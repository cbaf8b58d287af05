import type { Transaction } from '../../database/transaction.js';
import type { Outcome } from '../../database/unit-of-work.js';
import { entityTag, type Precondition } from '../conditions.js';
import type { AnswerKeeping } from './idempotent-requests.js';

/** What the entity tag of a zone is made of. */
interface TaggedZone {
  readonly version: number;
  readonly changedAt: number;
}

/** What goes along with a change of a zone; `ChangeHook` of zones has this form. */
export interface ConditionalKeeping<Result> {
  readonly isOurs: true;
  load(tx: Transaction): Promise<void>;
  admit(zone: TaggedZone): void;
  write(tx: Transaction, outcome: Outcome<Result>): Promise<void>;
}

/**
 * Keeps the answer of a change, and lets only a zone be changed that has the entity tag of `If-Match`. A repetition is
 * answered as the first request was, whatever has become of the zone since.
 * @param condition `null` where the request has none
 * @param keeping `null` where the request has no Idempotency-Key
 */
export function keepingUnder<Result>(
  condition: Precondition | null,
  keeping: AnswerKeeping<Result> | null,
): ConditionalKeeping<Result> | null {
  if (condition === null) return keeping;
  return {
    isOurs: true,
    load: (tx) => keeping?.load(tx) ?? Promise.resolve(),
    admit: ({ version, changedAt }) => {
      keeping?.admit();
      condition.assertHolds(entityTag(version, changedAt));
    },
    write: (tx, outcome) => keeping?.write(tx, outcome) ?? Promise.resolve(),
  };
}
