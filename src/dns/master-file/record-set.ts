import type { DomainName } from '../name.js';
import type { RecordType } from '../rdata/index.js';

/** The records of one owner name and type as they are served, with one TTL in seconds (RFC 2181 §5.2). */
export interface RecordSet {
  readonly owner: DomainName;
  readonly type: RecordType;
  readonly ttl: number;
  readonly rdatas: readonly Uint8Array[];
  /** The presentation form of each of them, where whoever has read them knows it. */
  readonly texts?: readonly string[];
}
