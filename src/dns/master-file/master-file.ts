import type { DomainName } from '../name.js';
import type { RecordType, RecordTypes } from '../rdata/index.js';
import type { Position } from './position.js';

/** How a master file is read (RFC 1035 §5). */
export interface MasterFileOptions {
  /** The name of the zone. An owner outside of it is an error, or a repair where the sink takes repairs. */
  readonly origin: DomainName;
  /** Completes relative names until `$ORIGIN` says otherwise; `origin` by default. */
  readonly initialOrigin?: DomainName;
  /** The types to accept. SOA is accepted besides, since every zone file has one. */
  readonly types: RecordTypes;
  /** How many records all `$GENERATE` directives of the file may make together; 65,536 by default. */
  readonly maxGenerated?: number;
  /** How many octets an entry may have, with its parentheses and line ends; 1 MiB by default. */
  readonly maxEntryOctets?: number;
}

/** A record of a master file, and the position at which its entry begins. */
export interface MasterFileRecord extends Position {
  readonly owner: DomainName;
  /** In seconds: the TTL of the entry, else of `$TTL` (RFC 2308 §4), else of the record before; null where none is given. */
  readonly ttl: number | null;
  readonly type: RecordType;
  readonly rdata: Uint8Array;
}

/** An error in a master file, and its position; the message says how to correct it. */
export interface MasterFileError extends Position {
  readonly message: string;
}

/** A record that DNSSEC signing makes, of a type that is not accepted. The next signer makes it anew. */
export interface MasterFileSignature extends Position {
  readonly type: string;
}

/** What a file has that the service does not read as it stands: one word for each kind. */
export type RepairKind =
  /** No TTL before the SOA: the minimum of the SOA is the default (RFC 1035 §3.3.13, RFC 2308 §4). */
  | 'soa_minimum_as_ttl'
  /** Cloudflare writes the owner name of the SOA without its final dot, and wrote `@` under `$ORIGIN .`. */
  | 'soa_owner'
  /** Cloudflare once wrote a name server to be filled in. */
  | 'placeholder'
  /** The first record has no owner name: NSD, ldns and dnspython take the zone's. */
  | 'first_owner'
  /** GoDaddy writes `_sip._tls.@` for `_sip._tls`. */
  | 'origin_label'
  /** Windows DNS writes `[AGE:n]` in front of the TTL. */
  | 'record_age'
  /** WINS and WINSR records, which Windows DNS alone serves. */
  | 'wins_record'
  /** A line that begins with `#`. */
  | 'hash_comment'
  /** A name outside of the zone, which BIND ignores. */
  | 'outside_zone'
  /** A DS at the apex, which is a record of the parent zone (RFC 4035 §2.4). */
  | 'apex_ds'
  /** An NS record whose name server is the root: every name server loads it, and no resolver can follow it. */
  | 'root_name_server'
  /** A name below a DNAME of the file, which BIND loads and never answers with (RFC 6672 §2.4). */
  | 'below_dname'
  /** A DNAME beside NS, except at the apex: BIND and NSD answer with the delegation (RFC 6672 §2.4). */
  | 'delegated_dname'
  /** A record that the service generates when it signs the zone. */
  | 'dnssec_record';

/** Something of a master file that was repaired or left out. */
export interface MasterFileRepair extends Position {
  readonly kind: RepairKind;
  /** As the file has it. */
  readonly text: string;
}

/** Receives what a master file holds, in the order of the file. */
export interface MasterFileSink {
  record(record: MasterFileRecord): void;
  error(error: MasterFileError): void;
  /**
   * Receives what a `$GENERATE` stands for. Each record is made when it is asked for; an error is the last of them. A sink
   * without this method receives the records at once, one by one.
   */
  generated?(items: Iterable<MasterFileRecord | MasterFileRepair | MasterFileError>): void;
  /** Receives the value of each `$TTL`, in seconds. */
  defaultTtl?(ttl: number): void;
  /**
   * Receives the repairs of provider dialects and of a file without a TTL, and the records that are left out. Where a sink lacks
   * this method, a file in a dialect has errors.
   */
  repair?(repair: MasterFileRepair): void;
  /**
   * Receives the records of signing whose types are not among those to accept. Where a sink lacks this method, the first of
   * them is an error and the others are skipped, so that nobody loses keys without notice.
   */
  signature?(signature: MasterFileSignature): void;
}
