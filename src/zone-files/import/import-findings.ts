import type { Transaction } from '../../database/transaction.js';
import { DomainName } from '../../dns/name.js';
import type { RecordTypes } from '../../dns/rdata/index.js';
import type { PlanFinding } from '../../records/plan-findings.js';
import type { RecordSetRepository } from '../../records/record-set.repository.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { type IsTopLevel, loadTopLevels, type Suspicion, suspicionsOf } from '../record-warnings.js';
import { NS } from '../../dns/rdata/name-types.js';
import type { RecordContent } from '../../records/record-content.js';
import type { ZoneEntry } from './zone-file-reading.js';

/** A suspicious record of an imported file. */
export interface ImportFinding extends PlanFinding {
  readonly line: number;
}

const MAX_FINDINGS = 100;
const MAX_SUSPICIONS = 500;

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

  add(entry: ZoneEntry, lines?: RecordLines, isCreated = false): void {
    if (entry.kind !== 'record') return;
    const { name, type: typeName, rdata } = entry.content;
    const type = this.types.byName(typeName);
    if (type === undefined) return;
    lines?.add(entry.line, entry.content, type.targets(rdata), isCreated && entry.content.ownerKey === this.zone.key);
    if (this.found.length >= MAX_SUSPICIONS) return;
    const set = { owner: DomainName.parse(name), type, rdatas: [rdata] };
    for (const suspicion of suspicionsOf(set, this.zone, this.isTopLevel))
      this.found.push({ ...suspicion, severity: 'warning', name, type: typeName, line: entry.line });
  }

  /** Skips findings that a name of the zone explains. Call it once all records are stored. */
  async list(tx: Transaction, zoneId: string, sets: RecordSetRepository): Promise<ImportFinding[]> {
    const findings: ImportFinding[] = [];
    for (const { unlessServed, ...finding } of this.found) {
      if (findings.length === MAX_FINDINGS) break;
      if (unlessServed !== null && (await sets.isServed(tx, zoneId, unlessServed))) continue;
      findings.push(finding);
    }
    return findings;
  }
}

/** Maximum of remembered records; the check covers no larger zones. */
const MAX_LINES = 10_000;
const MAX_NAME_SERVERS = 20;

/** The lines of the records, for findings of the zone with the import (behaviour 15.9). */
export class RecordLines {
  private readonly lines = new Map<string, number>();
  private readonly nameServers = new Map<string, ImportFinding>();

  add(
    line: number,
    { name, ownerKey, type }: RecordContent,
    targets: readonly DomainName[],
    isNewAtApex: boolean,
  ): void {
    for (const key of [keyOf(ownerKey, type), ...targets.map((target) => keyOf(ownerKey, type, target.key))])
      if (this.lines.size < MAX_LINES && !this.lines.has(key)) this.lines.set(key, line);
    if (type !== NS.name || !isNewAtApex || this.nameServers.size === MAX_NAME_SERVERS) return;
    const text = targets[0]?.toString() ?? '';
    const message = `${text} would become a name server of the domain; leave it out if it belongs to the former provider.`;
    this.nameServers.set(text, { severity: 'warning', name, type, message, line, kind: 'other_name_server', text });
  }

  /** Adds the findings of the check to those of the file. */
  merged(ofFile: readonly ImportFinding[], ofCheck: readonly PlanFinding[]): readonly PlanFinding[] {
    const known = new Set(ofFile.map(({ name, message }) => `${name} ${message}`));
    const isExplained = ({ name, text, kind }: PlanFinding): boolean =>
      kind === 'no_address' &&
      ofFile.some((of) => of.kind === 'missing_dot' && of.name === name && text?.startsWith(of.text ?? ''));
    const others = ofCheck.filter((found) => !known.has(`${found.name} ${found.message}`) && !isExplained(found));
    return [...ofFile, ...this.nameServers.values(), ...others.map((finding) => this.withLine(finding))];
  }

  private withLine(finding: PlanFinding): PlanFinding {
    const { name, type, text } = finding;
    const owner = DomainName.parse(name).key;
    const target = text?.endsWith('.') === true ? DomainName.parse(text).key : undefined;
    const line = this.lines.get(keyOf(owner, type, target)) ?? this.lines.get(keyOf(owner, type));
    return line === undefined ? finding : { ...finding, line };
  }
}

const keyOf = (...parts: readonly (string | undefined)[]): string => parts.join('\t');
