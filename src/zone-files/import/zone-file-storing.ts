import { Injectable } from '@nestjs/common';
import { ServiceError } from '../../common/service-error.js';
import type { Transaction } from '../../database/transaction.js';
import { DomainName, displayName } from '../../dns/name.js';
import { RecordTypes } from '../../dns/rdata/index.js';
import { NS } from '../../dns/rdata/ns.js';
import { Histogram, secondsSince } from '../../observability/histogram.js';
import type { RecordContent } from '../../records/record-content.js';
import { type Merged, RecordMerging } from '../../records/changes/record-merging.js';
import { SetExpiries } from '../../records/changes/set-notes.js';
import { RecordSetRepository } from '../../records/record-set.repository.js';
import { SeenRecordsRepository } from '../../records/seen-records.repository.js';
import { ServedZone } from '../../records/served/served-zone.js';
import type { ZoneChange } from '../../zones/changes/zone-change.js';
import type { GenerateBounds } from '../generated-records.js';
import { withOtherLines } from './conflict-lines.js';
import type { ImportDifferences } from './import-differences.js';
import { ImportErrors } from './import-errors.js';
import { type ImportFinding, ImportFindings } from './import-findings.js';
import { type ImportRepair, ImportRepairs } from './import-repairs.js';
import type { ZoneFile } from '../zone-file.js';
import { ZoneFileFindings } from '../zone-file-findings.js';
import { readZone, type ZoneEntry, type ZoneOfFile } from './zone-file-reading.js';

const PORTIONS = new Histogram({
  name: 'zonewright_import_portion_duration_seconds',
  help: 'What portions of some 500 entries of an import took to be judged and written.',
}).of();

/** How a master file is imported. */
export interface ImportRequest {
  /** `merge` adds to what there is, `replace` also removes what the file does not have. */
  readonly mode: 'merge' | 'replace';
  /** Checks and counts everything, and stores nothing. */
  readonly dryRun: boolean;
  /** Takes in a file that says that something was left out of it. */
  readonly incomplete: boolean;
  /** Leaves out all NS records of the apex, not only those that the service makes itself. */
  readonly skipsApexNs?: boolean;
  /**
   * Is told what was done, inside of the change.
   * @internal
   */
  readonly onStored?: (counts: ImportCounts) => void;
  /**
   * Are told what a dry run would do.
   * @internal
   */
  readonly differences?: ImportDifferences;
}

/** What an import did, in records. */
export interface ImportCounts {
  created: number;
  /** The same record with another ttl. */
  updated: number;
  unchanged: number;
  removed: number;
  /** The SOA and the service's own name servers, which the service makes itself. */
  skipped: number;
  /** What was left out of the file or read otherwise than it says, one for each kind. */
  repairs: readonly ImportRepair[];
  /** Records of the file that hardly mean what they say. */
  findings: readonly ImportFinding[];
}

type Entries = AsyncGenerator<readonly ZoneEntry[]>;

/** A change that takes records portion by portion. */
export interface ChunkedChange {
  readonly change: ZoneChange;
  /** Does a part of it. */
  readonly run: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;
}

/** Puts the records of a zone file into a change of their zone. */
@Injectable()
export class ZoneFileStoring {
  constructor(
    private readonly merging: RecordMerging,
    private readonly contents: ServedZone,
    private readonly types: RecordTypes,
    private readonly seen: SeenRecordsRepository,
    private readonly recordSets: RecordSetRepository,
  ) {}

  /**
   * Reads a file that is only looked at.
   * @returns how many entries it has
   * @throws ServiceError `over_quota`, `file_too_large`, and `invalid_object` with one error for each line at fault
   */
  async judge(
    file: ZoneFile,
    zone: ZoneOfFile,
    { incomplete }: ImportRequest,
    bounds: GenerateBounds,
  ): Promise<number> {
    const findings = new ZoneFileFindings();
    for await (const entries of readZone(findings.watch(file), zone, this.types, bounds)) {
      findings.add(entries);
      if (findings.hasManyFaults) break;
    }
    findings.assertTaken(incomplete);
    return findings.entryCount;
  }

  /**
   * Stores a file that has been judged.
   * @throws ServiceError `over_quota`, and `invalid_object` with one error for each record that may not stand in the zone
   */
  async store(target: ChunkedChange, file: ZoneFile, request: ImportRequest): Promise<ImportCounts> {
    const read = (): Entries => readZone(file, target.change.zone, this.types);
    const counts = noCounts();
    const expiries = new SetExpiries();
    if (request.mode === 'replace') {
      await this.recordSeen(target, read());
      counts.removed = await this.removeMissing(target, expiries);
    }
    const errors = await this.merge(target, read(), request, counts, expiries);
    (await withOtherLines(errors, target.change.zone.nameKey, read)).assertNone();
    return counts;
  }

  /**
   * The same of a file that has not been judged, in one reading; another one follows where the zone may have records that the
   * file has not, or where it is refused: what is wrong with the file itself is said first.
   * @throws ServiceError as `judge`, then as `store`
   */
  async judgeAndStore(
    target: ChunkedChange,
    file: ZoneFile,
    request: ImportRequest,
    bounds: GenerateBounds,
  ): Promise<ImportCounts> {
    const { zone } = target.change;
    const findings = new ZoneFileFindings();
    const entries = noting(findings, readZone(findings.watch(file), zone, this.types, bounds));
    const counts = noCounts();
    if (request.mode === 'replace' && zone.recordCount > 0) {
      await this.recordSeen(target, entries);
      findings.assertTaken(request.incomplete);
      return this.store(target, file, request);
    }
    try {
      const errors = await this.merge(target, entries, request, counts);
      const read = (): Entries => readZone(file, zone, this.types, bounds);
      (await withOtherLines(errors, zone.nameKey, read)).assertNone();
    } catch (error) {
      if (error instanceof ServiceError) await this.judge(file, zone, request, bounds);
      throw error;
    }
    findings.assertTaken(request.incomplete);
    return counts;
  }

  /** Returns which records may not stand in the zone. */
  private async merge(
    { change, run }: ChunkedChange,
    entries: Entries,
    request: ImportRequest,
    counts: ImportCounts,
    expiries: SetExpiries | null = null,
  ): Promise<ImportErrors> {
    const faults = new ImportErrors();
    const repairs = new ImportRepairs();
    const findings = await ImportFindings.of(change.zone, this.types);
    const isStored = (entry: ZoneEntry) => entry.kind === 'record' && !this.isLeftOut(change, entry.content, request);
    const facts = await run((tx) => this.merging.begin(tx, change));
    for await (const chunk of inBatches(entries)) {
      const records = chunk.filter(isStored);
      const begun = performance.now();
      const merged = await run((tx) => this.merging.merge(tx, change, contentsOf(records), facts, expiries));
      PORTIONS.observe(secondsSince(begun));
      const results = new Map(records.map((entry, at) => [entry, merged[at]]));
      for (const entry of records) findings.add(entry);
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
    await run((tx) => this.seen.begin(tx));
    for await (const chunk of inBatches(entries))
      await run((tx) => this.seen.add(tx, change.zone.id, contentsOf(chunk)));
  }

  /** Removes what the file does not have, before anything of it is added: names may change their types in one go. */
  private async removeMissing({ change, run }: ChunkedChange, expiries: SetExpiries): Promise<number> {
    let removed = 0;
    for await (const records of this.seen.missing(run, change.zone.id))
      removed += await run(async (tx) => {
        // NS of the apex may be left out when the file is merged.
        const staying = (await this.seen.setsAmong(tx, records)).filter(
          ({ ownerKey, type }) => !(type === NS.name && ownerKey === change.zone.nameKey),
        );
        await this.merging.remove(tx, change, records, staying, expiries);
        return records.length;
      });
    return removed;
  }

  private isLeftOut(
    { zone }: ZoneChange,
    { ownerKey, type, rdata }: RecordContent,
    { skipsApexNs = false }: ImportRequest,
  ): boolean {
    if (skipsApexNs && type === NS.name && ownerKey === zone.nameKey) return true;
    return this.contents.isGenerated(zone, ownerKey, type, rdata);
  }
}

function noCounts(): ImportCounts {
  return { created: 0, updated: 0, unchanged: 0, removed: 0, skipped: 0, repairs: [], findings: [] };
}

async function* noting(findings: ZoneFileFindings, batches: Entries): Entries {
  for await (const entries of batches) {
    findings.add(entries);
    // What is refused anyway is only read on for its other faults.
    if (!findings.hasFaults) yield entries;
    if (findings.hasManyFaults) return;
  }
}

function contentsOf(entries: readonly ZoneEntry[]): RecordContent[] {
  return entries.flatMap((entry) => (entry.kind === 'record' ? [entry.content] : []));
}

/** So many entries are loaded, judged and written together: some ten milliseconds' work. */
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

/** @param merged what became of the entry; `undefined` where it is none that is stored */
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

/** Names without the escapes of the service, which the file does not need to have. */
function inWordsOfFile(message: string, entry: ZoneEntry): string {
  if (entry.kind !== 'record' || !entry.content.name.includes('\\')) return message;
  const { name } = entry.content;
  return message.replaceAll(name, () => displayName(DomainName.parse(name)));
}
