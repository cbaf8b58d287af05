import type { RecordContent } from '../records/record-content.js';
import { DomainName } from '../dns/name.js';
import { NO_NOTES, type ReplaceOperation } from '../records/changes/record-operation.js';
import type { RecordEntity } from '../records/record.entity.js';

const NOTHING_STORED: ReadonlyMap<string, RecordContent> = new Map();

/** A stored set as the steps of a message leave it. */
export class SetDraft {
  private readonly stored: ReadonlyMap<string, RecordContent>;
  private readonly contents: Map<string, RecordContent>;
  private hasAdded = false;

  /**
   * @param members all of the set
   * @param ttl that it is served with; `null`: it is not there
   * @param zoneTtl that a record without one has
   */
  constructor(
    private readonly ownerKey: string,
    private readonly type: string,
    members: readonly RecordEntity[],
    private ttl: number | null,
    private readonly zoneTtl: number,
  ) {
    this.stored =
      members.length === 0 ? NOTHING_STORED : new Map(members.map((one) => [one.fingerprint, contentOfStored(one)]));
    this.contents = new Map(this.stored);
  }

  get size(): number {
    return this.contents.size;
  }

  has(fingerprint: string): boolean {
    return this.contents.has(fingerprint);
  }

  /** The last one that is added gives the set its TTL (RFC 2181 §5.2); what is there already is not added (behaviour 20.5). */
  add(content: RecordContent): void {
    const { fingerprint, ttl } = content;
    if (this.contents.has(fingerprint) && ttl === this.ttl) return;
    if (!this.contents.has(fingerprint)) this.contents.set(fingerprint, this.stored.get(fingerprint) ?? content);
    this.ttl = ttl;
    this.hasAdded = true;
  }

  delete(fingerprint: string): void {
    this.contents.delete(fingerprint);
  }

  clear(): void {
    this.contents.clear();
  }

  /** What makes the stored set this one; `null` where it is. */
  replacement(): ReplaceOperation | null {
    const contents = [...this.contents.values()].map((content) => ({ ...this.withTtl(content), leftOut: NO_NOTES }));
    const isSame =
      contents.length === this.stored.size &&
      contents.every((content) => this.stored.get(content.fingerprint)?.ttl === content.ttl);
    return isSame ? null : { action: 'replace', ownerKey: this.ownerKey, type: this.type, contents };
  }

  private withTtl(content: RecordContent): RecordContent {
    if (!this.hasAdded || (content.ttl ?? this.zoneTtl) === this.ttl) return content;
    return { ...content, ttl: this.ttl };
  }
}

function contentOfStored(record: RecordEntity): RecordContent {
  const { name, ownerKey, type, data, priority, ttl, description, expiresAt, fingerprint } = record;
  return {
    name,
    ownerOctets: DomainName.parse(name).wire.length,
    ownerKey,
    type,
    data,
    priority,
    ttl,
    description,
    expiresAt,
    rdata: Buffer.from(record.rdata, 'hex'),
    fingerprint,
  };
}
