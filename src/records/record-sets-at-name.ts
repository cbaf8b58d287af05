import type { RecordSetCount } from './record-set.repository.js';

/** The record sets at one owner name as they are without the record that is about to be written. */
export class RecordSetsAtName {
  private readonly byType: ReadonlyMap<string, RecordSetCount>;

  constructor(sets: readonly RecordSetCount[]) {
    this.byType = new Map(sets.map((set) => [set.type, set]));
  }

  has(type: string): boolean {
    return this.byType.has(type);
  }

  hasOtherThan(type: string): boolean {
    return this.byType.size > (this.has(type) ? 1 : 0);
  }

  recordCountOf(type: string): number {
    return this.byType.get(type)?.recordCount ?? 0;
  }

  octetsOf(type: string): number {
    return this.byType.get(type)?.octets ?? 0;
  }
}
