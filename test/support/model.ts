/** A record in the model: the fields that clients can set. */
export interface ModelRecord {
  readonly name: string;
  readonly type: string;
  readonly data: string;
  readonly priority: number | null;
  readonly ttl: number | null;
  readonly description: string | null;
}

export interface StoredRecord extends ModelRecord {
  readonly id: string;
  readonly version: number;
}

/** The expected result of a request: the refusal code or the record. */
export type Verdict = string | { readonly record: ModelRecord; readonly isServedAnew: boolean };

/**
 * An independent, minimal implementation of behavior 4 to 6 for a few values of a few types. Without tables, counters
 * or transactions, since the tests compare those with it.
 */
export class RecordModel {
  /** In the order of creation. */
  readonly records: StoredRecord[] = [];

  constructor(
    private readonly domain: string,
    private readonly child: string,
    private readonly canonicalData: (type: string, data: string) => string | null,
  ) {}

  create(record: ModelRecord): Verdict {
    return this.judge(record, this.records) ?? { record, isServedAnew: true };
  }

  update(id: string, fields: Partial<ModelRecord>): Verdict {
    const before = this.find(id);
    if (before === undefined) return 'record_not_found';
    if (fields.type !== undefined && fields.type !== before.type) return 'bad_request';
    const { id: _, version: __, ...content } = before;
    const record: ModelRecord = { ...content, ...fields };
    const isServedAnew = JSON.stringify(record) !== JSON.stringify(content);
    const others = this.records.filter((other) => other !== before);
    const refusal = this.faultOf(record) ?? (isServedAnew ? this.judge(record, others) : null);
    return refusal ?? { record, isServedAnew };
  }

  find(id: string): StoredRecord | undefined {
    return this.records.find((record) => record.id === id);
  }

  /** Stores an accepted record. */
  put(stored: StoredRecord): void {
    const at = this.records.findIndex(({ id }) => id === stored.id);
    if (at < 0) this.records.push(stored);
    else this.records[at] = stored;
  }

  remove(id: string): void {
    this.records.splice(
      this.records.findIndex((record) => record.id === id),
      1,
    );
  }

  private judge(record: ModelRecord, others: readonly ModelRecord[]): string | null {
    return this.faultOf(record) ?? this.misplacementOf(record, others) ?? this.duplicateOf(record, others);
  }

  private faultOf({ name, type, data, priority }: ModelRecord): string | null {
    const hasPriority = type === 'MX' || type === 'SRV';
    const isRight =
      this.canonicalData(type, data) !== null &&
      hasPriority === (priority !== null) &&
      (type !== 'SRV' || /^(_s\._tcp|\*)\./i.test(name));
    return isRight ? null : 'invalid_object';
  }

  private misplacementOf(record: ModelRecord, others: readonly ModelRecord[]): string | null {
    const { type } = record;
    const name = record.name.toLowerCase();
    const beside = others.filter((other) => other.name.toLowerCase() === name);
    const isInChild = name.endsWith(`.${this.child}`) || (name === this.child && type !== 'NS');
    const isOutside = name !== this.domain && !name.endsWith(`.${this.domain}`);
    const isCrowdedAlias =
      type === 'CNAME' ? name === this.domain || beside.length > 0 : beside.some((other) => other.type === 'CNAME');
    const isDelegatedWildcard = type === 'NS' && name.startsWith('*.');
    if (isInChild || isOutside || isDelegatedWildcard) return 'invalid_recordset_location';
    if (isCrowdedAlias)
      return (name !== this.domain ? this.duplicateOf(record, beside) : null) ?? 'invalid_recordset_location';
    return isNullMxBesideOthers([record, ...beside]) && this.duplicateOf(record, beside) === null
      ? 'invalid_recordset_location'
      : null;
  }

  private duplicateOf(record: ModelRecord, others: readonly ModelRecord[]): string | null {
    return others.some((other) => this.keyOf(other) === this.keyOf(record)) ? 'duplicate_record' : null;
  }

  private keyOf({ name, type, data, priority }: ModelRecord): string {
    return JSON.stringify([name.toLowerCase(), type, this.canonicalData(type, data), priority]);
  }
}

function isNullMxBesideOthers(records: readonly ModelRecord[]): boolean {
  const exchangers = records.filter(({ type }) => type === 'MX');
  return exchangers.length > 1 && exchangers.some(({ data }) => data === '.');
}
