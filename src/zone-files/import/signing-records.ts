import type { MasterFileRecord, MasterFileSignature } from '../../dns/master-file/master-file.js';
import type { DomainName } from '../../dns/name.js';
import { CDNSKEY } from '../../dns/rdata/cdnskey.js';
import { CDS } from '../../dns/rdata/cds.js';
import { droppedSignature, type Repair } from './import-repairs.js';

export interface DroppedRecord {
  readonly line: number;
  readonly column: number;
  readonly repair: Repair;
}

/** The types that no zone of the service has but those that signing makes. */
const SIGNING: ReadonlySet<number> = new Set([46, 47, 48, 50, 51]);
/** RFC 8976 §2: a digest of the zone, which its first change makes wrong. */
const ZONEMD = 63;
const AT_APEX: ReadonlySet<number> = new Set([CDS.code, CDNSKEY.code, ZONEMD]);

/** A zone has a few of these records; a file with more of them at its apex has them for another reason. */
const MOST_HELD = 1000;

/**
 * Drops the records of a zone file that signing has made. CDS, CDNSKEY and ZONEMD at the apex are such records if the file is of a
 * signed zone. That may become known behind them, so they are held back until then, or until the file ends (RFC 7344 §4).
 */
export class SigningRecords {
  private isSigned = false;
  private held: MasterFileRecord[] = [];

  constructor(private readonly apex: DomainName) {}

  /** Takes a record of a type that the service does not take; returns what has become of it and of those that were held. */
  signature({ type, line, column }: MasterFileSignature): (MasterFileRecord | DroppedRecord)[] {
    // A digest of the zone needs no signatures.
    this.isSigned ||= type !== 'ZONEMD';
    return [...(this.isSigned ? this.release() : []), { line, column, repair: droppedSignature(type) }];
  }

  /** Takes any other record. */
  record(record: MasterFileRecord): (MasterFileRecord | DroppedRecord)[] {
    const { owner, type, line, column } = record;
    if (SIGNING.has(type.code)) return this.signature({ type: type.name, line, column });
    if (!AT_APEX.has(type.code) || !owner.equals(this.apex)) return [record];
    this.held.push(record);
    return this.isSigned || this.held.length > MOST_HELD ? this.release() : [];
  }

  /** What has become of the records that are held. */
  release(): (MasterFileRecord | DroppedRecord)[] {
    const { held, isSigned } = this;
    if (held.length === 0) return [];
    this.held = [];
    if (!isSigned) return held;
    return held.map(({ type, line, column }) => ({ line, column, repair: droppedSignature(type.name) }));
  }
}
