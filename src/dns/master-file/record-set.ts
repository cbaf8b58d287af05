import type { DomainName } from '../name.js';
import type { RecordType } from '../rdata/index.js';

/** Records of one owner and type, as they are served: with one TTL (RFC 2181 §5.2). */
export interface RecordSet {
  readonly owner: DomainName;
  readonly type: RecordType;
  readonly ttl: number;
  readonly rdatas: readonly Uint8Array[];
}
