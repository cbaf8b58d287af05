import type { DomainName } from '../name.js';
import type { RecordType, RecordTypes } from '../rdata/index.js';
import type { Position } from './position.js';

export interface MasterFileOptions {
  /** Zone name. Names outside are an error, or a repair if the sink accepts repairs. */
  readonly origin: DomainName;
  /** Completes relative names until `$ORIGIN`. Default: `origin`. */
  readonly initialOrigin?: DomainName;
  /** In addition to SOA. */
  readonly types: RecordTypes;
  /** Generated records in the file. Default: 65,536. */
  readonly maxGenerated?: number;
  /** Octets in an entry, including parentheses and line ends. Default: 1 MiB. */
  readonly maxEntryOctets?: number;
}

export interface MasterFileRecord extends Position {
  readonly owner: DomainName;
  /** Seconds: TTL of the entry, of `$TTL` (RFC 2308 §4), or of the previous record; otherwise null. */
  readonly ttl: number | null;
  readonly type: RecordType;
  readonly rdata: Uint8Array;
}

export interface MasterFileError extends Position {
  readonly message: string;
}

/** DNSSEC record of a type that is not accepted. Signing generates it again. */
export interface MasterFileSignature extends Position {
  readonly type: string;
}

/** Deviation from RFC 1035 that an import repairs. */
export type RepairKind =
  /** The SOA minimum is the default without an earlier TTL (RFC 1035 §3.3.13, RFC 2308 §4). */
  | 'soa_minimum_as_ttl'
  /** Cloudflare writes the SOA owner name without its final dot, and wrote `@` under `$ORIGIN .`. */
  | 'soa_owner'
  /** Older Cloudflare exports have a placeholder as name server. */
  | 'placeholder'
  /** The first record has no owner name: NSD, ldns and dnspython use the zone name. */
  | 'first_owner'
  /** GoDaddy writes `_sip._tls.@` for `_sip._tls`. */
  | 'origin_label'
  /** Windows DNS writes `[AGE:n]` before the TTL. */
  | 'record_age'
  /** WINS and WINSR records, which only Windows DNS serves. */
  | 'wins_record'
  /** A line that begins with `#`. */
  | 'hash_comment'
  /** BIND ignores names outside of the zone. */
  | 'outside_zone'
  /** A DS at the apex belongs to the parent zone (RFC 4035 §2.4). */
  | 'apex_ds'
  /** NS with the root as name server: servers load it, but resolvers cannot follow it. */
  | 'root_name_server'
  /** BIND loads names below a DNAME but never answers with them (RFC 6672 §2.4). */
  | 'below_dname'
  /** DNAME and NS at one name below the apex: BIND and NSD answer with the delegation (RFC 6672 §2.4). */
  | 'delegated_dname'
  /** Signing generates the record again. */
  | 'dnssec_record';

export interface MasterFileRepair extends Position {
  readonly kind: RepairKind;
  readonly text: string;
}

export interface MasterFileSink {
  record(record: MasterFileRecord): void;
  error(error: MasterFileError): void;
  /** Receives `$GENERATE` records as a lazy iterable that ends after an error. Default: `record`. */
  generated?(items: Iterable<MasterFileRecord | MasterFileRepair | MasterFileError>): void;
  /** Receives each `$TTL`, in seconds. */
  defaultTtl?(ttl: number): void;
  /** Receives repaired and skipped text. Without this method, dialects are errors. */
  repair?(repair: MasterFileRepair): void;
  /** DNSSEC records of other types. Without this method, the first is an error, so that keys are not lost silently. */
  signature?(signature: MasterFileSignature): void;
}
