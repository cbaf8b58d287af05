import type { Transaction } from '../../database/transaction.js';
import { DomainName } from '../../dns/name.js';
import type { RecordTypes } from '../../dns/rdata/index.js';
import type { RecordSetRepository } from '../../records/record-set.repository.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { type IsTopLevel, loadTopLevels, type Suspicion, suspicionsOf } from '../record-warnings.js';
import type { ZoneEntry } from './zone-file-reading.js';

/** A record of a zone file that is imported and hardly means what it says. */
export interface ImportFinding {
  readonly severity: 'warning';
  readonly name: string;
  readonly type: string;
  readonly message: string;
  readonly line: number;
}

/** More than these are not listed. */
const MAX_FINDINGS = 100;
/** Names that may turn out to be in the zone; each is looked up. */
const MAX_SUSPICIONS = 500;

/** Collects suspicious records while a file is imported. */
export class ImportFindings {
  private readonly found: (Suspicion & ImportFinding)[] = [];

  private constructor(
    private readonly zone: DomainName,
    private readonly types: RecordTypes,
    private readonly isTopLevel: IsTopLevel,
  ) {}

  static async of({ name }: Pick<ZoneEntity, 'name'>, types: RecordTypes): Promise<ImportFindings> {
    return new ImportFindings(DomainName.parse(name), types, await loadTopLevels());
  }

  add(entry: ZoneEntry): void {
    if (entry.kind !== 'record' || this.found.length >= MAX_SUSPICIONS) return;
    const { name, type: typeName, rdata } = entry.content;
    const type = this.types.byName(typeName);
    if (type === undefined) return;
    const set = { owner: DomainName.parse(name), type, rdatas: [rdata] };
    for (const suspicion of suspicionsOf(set, this.zone, this.isTopLevel))
      this.found.push({ ...suspicion, severity: 'warning', name, type: typeName, line: entry.line });
  }

  /** Those that nothing in the zone explains, when all records of the file are in it. */
  async list(tx: Transaction, zoneId: string, sets: RecordSetRepository): Promise<ImportFinding[]> {
    const findings: ImportFinding[] = [];
    for (const { unlessServed, severity, name, type, message, line } of this.found) {
      if (findings.length === MAX_FINDINGS) break;
      if (unlessServed !== null && (await sets.isServed(tx, zoneId, unlessServed))) continue;
      findings.push({ severity, name, type, message, line });
    }
    return findings;
  }
}
