import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ImportLimits } from './import-limits.js';
import { Injectable } from '@nestjs/common';
import { ServiceError } from '../../common/service-error.js';
import { DomainName, displayName } from '../../dns/name.js';
import { RecordTypes } from '../../dns/rdata/index.js';
import { NS } from '../../dns/rdata/name-types.js';
import { Histogram, secondsSince } from '../../observability/metrics.js';
import type { RecordContent } from '../../records/record-content.js';
import { type Merged, RecordMerging } from '../../records/changes/record-merging.js';
import { SetExpiries } from '../../records/changes/set-notes.js';
import { RecordRepository } from '../../records/record.repository.js';
import type { RecordEntity } from '../../records/record.entity.js';
import { RecordSetRepository } from '../../records/record-set.repository.js';
import { ServedZone } from '../../records/served/served-zone.js';
import type { ZoneChange } from '../../zones/changes/zone-change.js';
import { type GenerateBounds, readZone, type ZoneEntry } from './zone-file-reading.js';
import { withOtherLines, ImportErrors, ZoneFileFindings } from './import-errors.js';
import type { ImportDifferences } from './import-differences.js';
import { type ImportFinding, ImportFindings, type RecordLines } from './import-findings.js';
import { type ImportRepair, ImportRepairs } from './import-repairs.js';
import { type ChunkedChange, MissingRecords, type RemovalState } from './missing-records.js';
import { type OwnedCounts, OwnedSets, type SetOwner } from './owned-sets.js';
import type { ZoneFile } from '../zone-file.js';

const PORTIONS = new Histogram({
  name: 'zonewright_import_portion_duration_seconds',
  help: 'Time to judge and write portions of about 500 entries of an import.',
}).of();

/** Options of an import. */
export interface ImportRequest {
  /** `merge` adds records, `replace` also removes those that the file does not have. */
  readonly mode: 'merge' | 'replace';
  /** Checks and counts, but stores nothing. */
  readonly dryRun: boolean;
  /** Accepts marks of omitted records. */
  readonly incomplete: boolean;
  /** Skips all NS records of the apex, not only the generated ones, and removes none of the zone. */
  readonly skipsApexNs?: boolean;
  /** Records of the zone that a replacement keeps although the file lacks them. @internal */
  readonly keeps?: (record: RecordEntity) => boolean;
  /** Changes only the record sets of this owner (behaviour 17.14). @internal */
  readonly owner?: SetOwner | undefined;
  /** Called inside the change. @internal */
  readonly onStored?: (counts: ImportCounts) => void;
  /** Collects the changes of a dry run. @internal */
  readonly differences?: ImportDifferences;
  /** Collects the lines of the stored records. @internal */
  readonly lines?: RecordLines;
}

/** Result of an import, in records. */
export interface ImportCounts {
  created: number;
  /** Records with another ttl. */
  updated: number;
  unchanged: number;
  removed: number;
  /** Generated records: the SOA, and NS of the service's name servers. */
  skipped: number;
  /** One for each kind. */
  repairs: readonly ImportRepair[];
  /** Suspicious records of the file. */
  findings: readonly ImportFinding[];
  /** With an owner only. @internal */
  owned?: OwnedCounts;
}

/** State of one import while it is stored. */
interface ImportRun extends RemovalState {
  readonly counts: ImportCounts;
}

type RecordEntry = Extract<ZoneEntry, { readonly kind: 'record' }>;
type Entries = AsyncGenerator<readonly ZoneEntry[]>;

@Injectable()
export class ZoneFileStoring {
  constructor(
    private readonly merging: RecordMerging,
    private readonly contents: ServedZone,
    private readonly types: RecordTypes,
    private readonly missing: MissingRecords,
    private readonly records: RecordRepository,
    private readonly recordSets: RecordSetRepository,
    private readonly limits: ImportLimits,
  ) {}

  /** Stores nothing. Reports one error for each line at fault. */
  async judge(file: ZoneFile, zone: Readonly<ZoneEntity>): Promise<ZoneFileFindings> {
    const bounds = await this.boundsOf(zone, file);
    const findings = new ZoneFileFindings();
    for await (const entries of readZone(findings.watch(file), zone, this.types, bounds)) {
      findings.add(entries);
      if (findings.hasManyFaults) break;
    }
    return findings;
  }

  /** @throws ServiceError `over_quota`, and `invalid_object` with one error for each rejected record */
  async store(target: ChunkedChange, file: ZoneFile, request: ImportRequest): Promise<ImportCounts> {
    const read = (): Entries => readZone(file, target.change.zone, this.types);
    const run = this.begin(target, request);
    if (request.mode === 'replace') {
      await this.recordSeen(target, read());
      run.counts.removed = await this.missing.remove(target, request, run);
    }
    const errors = await this.merge(target, read(), request, run);
    (await withOtherLines(errors, target.change.zone.nameKey, read)).assertNone();
    return this.end(target, read, request, run);
  }

  /** Reads once; again if the zone may have records that the file lacks, or to report faults of the file first. */
  async judgeAndStore(target: ChunkedChange, file: ZoneFile, request: ImportRequest): Promise<ImportCounts> {
    const { zone } = target.change;
    const bounds = await this.boundsOf(zone, file);
    const findings = new ZoneFileFindings();
    const entries = noting(findings, readZone(findings.watch(file), zone, this.types, bounds));
    if (request.mode === 'replace' && zone.recordCount > 0) {
      await this.recordSeen(target, entries);
      findings.assertTaken(request.incomplete);
      return this.store(target, file, request);
    }
    const run = this.begin(target, request);
    const read = (): Entries => readZone(file, zone, this.types, bounds);
    try {
      const errors = await this.merge(target, entries, request, run);
      (await withOtherLines(errors, zone.nameKey, read)).assertNone();
    } catch (error) {
      if (error instanceof ServiceError) (await this.judge(file, zone)).assertTaken(request.incomplete);
      throw error;
    }
    findings.assertTaken(request.incomplete);
    return this.end(target, read, request, run);
  }

  private begin({ change }: ChunkedChange, { owner }: ImportRequest): ImportRun {
    const { merging, records, recordSets } = this;
    const owned = owner === undefined ? null : new OwnedSets(owner, change, { merging, records, recordSets });
    return { counts: noCounts(), expiries: new SetExpiries(), owned };
  }

  private async end(
    { change, run }: ChunkedChange,
    read: () => Entries,
    request: ImportRequest,
    { counts, owned }: ImportRun,
  ): Promise<ImportCounts> {
    if (owned === null) return counts;
    if (owned.owner.adopts)
      for await (const chunk of inBatches(read())) {
        const records = chunk.filter((entry) => this.isStored(entry, change, request));
        await run((tx) => owned.adopt(tx, contentsOf(records)));
      }
    return { ...counts, owned: owned.counts() };
  }

  private async boundsOf(
    { tenantId }: Readonly<ZoneEntity>,
    { maxGeneratedOctets }: ZoneFile,
  ): Promise<GenerateBounds> {
    return { records: await this.limits.maxRecords(tenantId), octets: maxGeneratedOctets };
  }

  private async merge(
    { change, run }: ChunkedChange,
    entries: Entries,
    request: ImportRequest,
    { counts, expiries, owned }: ImportRun,
  ): Promise<ImportErrors> {
    const faults = new ImportErrors();
    const repairs = new ImportRepairs();
    const findings = await ImportFindings.of(change.zone, this.types);
    const facts = await run((tx) => this.merging.begin(tx, change));
    for await (const chunk of inBatches(entries)) {
      const records = chunk.filter((entry) => this.isStored(entry, change, request));
      const begun = performance.now();
      const merged = await run(async (tx) => {
        const results = await this.merging.merge(tx, change, contentsOf(records), facts, expiries);
        return owned === null ? results : owned.judge(tx, records, results);
      });
      PORTIONS.observe(secondsSince(begun));
      const results = new Map<ZoneEntry, Merged | undefined>(records.map((entry, at) => [entry, merged[at]]));
      for (const entry of records) findings.add(entry, request.lines, results.get(entry) === 'created');
      for (const entry of chunk)
        if (entry.kind === 'repair') repairs.add(entry);
        else count(entry, results.get(entry), counts, faults);
      if (faults.areMany) break;
    }
    counts.repairs = repairs.list();
    if (!faults.areAny) counts.findings = await run((tx) => findings.list(tx, change.zone.id, this.recordSets));
    return faults;
  }

  private async recordSeen({ change, run }: ChunkedChange, entries: Entries): Promise<void> {
    await run((tx) => this.missing.begin(tx));
    for await (const chunk of inBatches(entries))
      await run((tx) => this.missing.see(tx, change.zone.id, contentsOf(chunk)));
  }

  private isStored(
    entry: ZoneEntry,
    { zone }: ZoneChange,
    { skipsApexNs = false }: ImportRequest,
  ): entry is RecordEntry {
    if (entry.kind !== 'record') return false;
    const { ownerKey, type, rdata } = entry.content;
    if (skipsApexNs && type === NS.name && ownerKey === zone.nameKey) return false;
    return !this.contents.isGenerated(zone, ownerKey, type, rdata);
  }
}

function noCounts(): ImportCounts {
  return { created: 0, updated: 0, unchanged: 0, removed: 0, skipped: 0, repairs: [], findings: [] };
}

async function* noting(findings: ZoneFileFindings, batches: Entries): Entries {
  for await (const entries of batches) {
    findings.add(entries);
    // A rejected file is read on for its other faults.
    if (!findings.hasFaults) yield entries;
    if (findings.hasManyFaults) return;
  }
}

function contentsOf(entries: readonly ZoneEntry[]): RecordContent[] {
  return entries.flatMap((entry) => (entry.kind === 'record' ? [entry.content] : []));
}

/** Entries that are loaded, judged and written together, about 10 ms of work. */
const PORTION = 500;

async function* inBatches(batches: Entries): Entries {
  let chunk: ZoneEntry[] = [];
  for await (const batch of batches) {
    chunk.push(...batch);
    if (chunk.length < PORTION) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

/** @param merged `undefined` if the entry is not stored */
function count(
  entry: Exclude<ZoneEntry, { readonly kind: 'repair' }>,
  merged: Merged | undefined,
  counts: ImportCounts,
  faults: ImportErrors,
): void {
  if (entry.kind === 'fault') faults.add(entry);
  else if (merged instanceof ServiceError)
    faults.add({ ...entry, message: inWordsOfFile(merged.message, entry), facts: merged.firstFacts });
  else counts[merged ?? 'skipped'] += 1;
}

/** The file may not use the escapes of the service. */
function inWordsOfFile(message: string, entry: ZoneEntry): string {
  if (entry.kind !== 'record' || !entry.content.name.includes('\\')) return message;
  const { name } = entry.content;
  return message.replaceAll(name, () => displayName(DomainName.parse(name)));
}
