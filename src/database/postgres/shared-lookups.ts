import { allOf } from '../../common/all-of.js';
import { groupedBy } from '../../common/grouped.js';
import { Coalescer } from '../../common/waiting/coalescer.js';
import type { Lookup } from '../statements/lookup.js';
import type { SqlValue } from '../statements/sql-value.js';
import type { Transaction } from '../transaction.js';
import { isUnavailable } from '../unit-of-work.js';

/** Round trips that are under way at once: while one is answered, the next is asked for. More would only make them smaller. */
const AT_ONCE = 2;
/** How many requests share one at most. */
const MOST = 128;

interface Asked {
  readonly lookup: Lookup<unknown>;
  readonly key: readonly SqlValue[];
  readonly resolve: (rows: readonly unknown[]) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Puts look-ups of requests that have nothing to do with each other into one round trip. Of what a look-up by a key costs, here
 * and in the server, most is that two processes wake each other.
 */
export class SharedLookups {
  private readonly asked = new Coalescer<Asked>((batch) => this.run(batch), {
    take: (waiting) => waiting.splice(0, MOST),
    atOnce: AT_ONCE,
  });

  /** @param read reads on a connection of its own, and says what a failure comes from */
  constructor(private readonly read: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>) {}

  /** The rows of the key. */
  rows<Row>(lookup: Lookup<Row>, key: readonly SqlValue[]): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      // They are the lookup's own.
      this.asked.add({ lookup, key, resolve: (rows) => resolve(rows as Row[]), reject });
    });
  }

  /** Where the key of one cannot be asked for, the others are not to suffer: each is asked for alone then. */
  private async run(batch: readonly Asked[]): Promise<void> {
    try {
      await this.read((tx) => allOf([...groupedBy(batch, ({ lookup }) => lookup)].map((one) => answer(tx, ...one))));
    } catch (error) {
      if (batch.length > 1 && !(error instanceof Error && isUnavailable(error)))
        await Promise.all(batch.map((one) => this.run([one])));
      else for (const { reject } of batch) reject(error);
    }
  }
}

/** Many requests come with the same token, and to the same zone: its row is read once, and each gets a copy. */
async function answer(tx: Transaction, lookup: Lookup<unknown>, asked: readonly Asked[]): Promise<void> {
  const byKey = [...groupedBy(asked, ({ key }) => JSON.stringify(key)).values()];
  const rows = await lookup.rowsByKey(
    tx,
    [],
    byKey.map(([first]) => first?.key ?? []),
  );
  for (const [at, alike] of byKey.entries()) for (const { resolve } of alike) resolve((rows[at] ?? []).map(ownCopy));
}

/** Without the number of its key. */
function ownCopy(row: unknown): unknown {
  const { key, ...columns } = row as { readonly key: number };
  return columns;
}
