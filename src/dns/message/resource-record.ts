import type { DomainName } from '../name.js';

/** A record of a message (RFC 1035 §4.1.3). */
export interface ResourceRecord {
  readonly owner: DomainName;
  readonly type: number;
  readonly class: number;
  /** In seconds. */
  readonly ttl: number;
  /** With all names uncompressed, as record types read and write it. */
  readonly rdata: Uint8Array;
}
