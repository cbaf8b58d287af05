import type { RecordSetEntity } from './record-set.entity.js';

/** The record sets at one owner name. */
export class RecordSetsAtName {
  private readonly byType: ReadonlyMap<string, RecordSetEntity>;

  constructor(sets: Iterable<RecordSetEntity>) {
    this.byType = new Map([...sets].map((set) => [set.type, set]));
  }

  get(type: string): RecordSetEntity | undefined {
    return this.byType.get(type);
  }

  has(type: string): boolean {
    return this.byType.has(type);
  }

  get types(): string[] {
    return [...this.byType.keys()];
  }

  recordCountOf(type: string): number {
    return this.byType.get(type)?.recordCount ?? 0;
  }

  octetsOf(type: string): number {
    return this.byType.get(type)?.octets ?? 0;
  }

  /** The same sets without one record of a type, and without its set when it was the last. */
  without(type: string, octets: number): RecordSetsAtName {
    const sets = [...this.byType.values()].flatMap((set) => {
      if (set.type !== type) return [set];
      return set.recordCount > 1 ? [{ ...set, recordCount: set.recordCount - 1, octets: set.octets - octets }] : [];
    });
    return new RecordSetsAtName(sets);
  }
}
