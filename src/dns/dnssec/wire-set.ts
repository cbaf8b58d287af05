import type { DomainName } from '../name.js';

/** The records of one owner name and type as messages have them, with one TTL in seconds (RFC 2181 §5.2). */
export interface WireSet {
  readonly owner: DomainName;
  /** The code of the type. */
  readonly type: number;
  readonly ttl: number;
  readonly rdatas: readonly Uint8Array[];
}
