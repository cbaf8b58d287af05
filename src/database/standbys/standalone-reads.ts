import type { Explain } from '../schema-watch.js';
import { unavailable } from '../database-failure.js';
import { Reads } from '../reads.js';
import type { Lookup } from '../statements/lookup.js';
import type { SqlValue } from '../statements/sql-value.js';
import type { Transaction } from '../transaction.js';
import { StandbyReads } from './standby-reads.js';
import type { Standbys } from './standbys.js';

/** Reads of standbys in a program that has no primary: everything comes from them as they are. */
export class StandaloneReads extends StandbyReads {
  constructor(standbys: Standbys, explain: Explain) {
    const position = { isAway: true, ask: () => Promise.resolve(null) };
    super(new NoReads(), position, standbys, { maxStaleness: 0, explain });
  }

  override run<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.isInScope ? super.run(work) : this.fromAny(() => super.run(work));
  }

  override lookUp<Row>(lookup: Lookup<Row>, key: readonly SqlValue[]): Promise<Row | undefined> {
    return this.run((tx) => lookup.first(tx, key));
  }

  override offPrimary<T>(work: () => Promise<T>): Promise<T> {
    return this.fromAny(work);
  }
}

/** What is left where no standby answers. */
class NoReads extends Reads {
  override run(): Promise<never> {
    return Promise.reject(noStandby());
  }

  override stream(): AsyncIterable<never> {
    return { [Symbol.asyncIterator]: () => ({ next: () => this.run() }) };
  }
}

function noStandby(): Error {
  return unavailable(new Error('no standby of [database] read_urls answers'));
}
