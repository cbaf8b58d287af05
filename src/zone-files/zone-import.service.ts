import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { ServiceError } from '../common/service-error.js';
import type { Transaction } from '../database/transaction.js';
import { RecordTypes } from '../dns/rdata/index.js';
import type { ZoneChange } from '../zones/zone-change.js';
import type { ChangeCompanion } from '../zones/zone-batch.js';
import { ZoneChanges } from '../zones/zone-changes.js';
import { ZoneRepository } from '../zones/zone.repository.js';
import type { NewZone } from '../zones/zone-fields.js';
import { ZonesService } from '../zones/zones.service.js';
import type { RecordContent } from '../records/record-content.js';
import { type Merged, RecordMerging } from '../records/record-merging.js';
import type { ImportDifferences } from './import-differences.js';
import { ImportErrors } from './import-errors.js';
import { ImportLimits } from './import-limits.js';
import { OmissionSearch } from './omissions.js';
import { SeenRecordsRepository } from './seen-records.repository.js';
import { ServedZone } from '../records/served-zone.js';
import type { ZoneFile } from './zone-file.js';
import { readZone, type ZoneEntry, type ZoneOfFile } from './zone-file-reading.js';
import { ZoneFilesOptions } from './zone-files.options.js';

export interface ImportRequest {
  /** `merge` adds to what there is, `replace` also removes what the file does not have. */
  readonly mode: 'merge' | 'replace';
  /** Judges and counts everything, and stores nothing. */
  readonly dryRun: boolean;
  /** Takes in a file that says that something was left out of it. */
  readonly incomplete: boolean;
  /** Are told what a dry run would do. */
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
}

@Injectable()
export class ZoneImportService {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly domainsService: ZonesService,
    private readonly changes: ZoneChanges,
    private readonly merging: RecordMerging,
    private readonly contents: ServedZone,
    private readonly types: RecordTypes,
    private readonly seen: SeenRecordsRepository,
    private readonly limits: ImportLimits,
    private readonly options: ZoneFilesOptions,
  ) {}

  /**
   * Takes in a zone file as one change. It is read once to judge it, while others change what they like, and again
   * inside the change to store it.
   * @throws ServiceError `zone_not_found`, `over_quota`, `file_too_large`, `unavailable`, and `invalid_object` with one
   *   error for each line at fault
   */
  async import(
    zoneId: string,
    caller: Caller,
    file: ZoneFile,
    request: ImportRequest,
    companion: ChangeCompanion<ImportCounts> | null = null,
  ): Promise<ImportCounts> {
    const zone = await this.zones.find(zoneId, caller);
    const end = this.options.imports.take(caller.tenantId);
    try {
      await this.judge(file, zone, zone.tenantId, request);
      return await this.counting(request, (store) =>
        this.changes.in(
          zoneId,
          caller,
          async (change, tx) => {
            await companion?.load?.(tx);
            companion?.admit?.(change.zone);
            const counts = await store(change, tx, file);
            await companion?.write?.(tx, { value: counts });
          },
          { isLong: true },
        ),
      );
    } finally {
      end();
    }
  }

  /**
   * The same into a zone that is made with it: when the file is at fault, or only tried, there is no zone either.
   * @throws ServiceError as `import`, and what refuses the zone
   */
  async importNew(body: NewZone, caller: Caller, file: ZoneFile, request: ImportRequest): Promise<ImportCounts> {
    await this.judge(file, { name: body.name, ttl: body.ttl ?? null }, caller.tenantId, request);
    return this.counting(request, (store) =>
      this.domainsService.create(body, caller, {
        fill: async (change, tx) => {
          await store(change, tx, file);
        },
      }),
    );
  }

  private async counting(
    { mode, dryRun, differences }: ImportRequest,
    begin: (store: StoreFile) => Promise<unknown>,
  ): Promise<ImportCounts> {
    let counts = noCounts();
    const store: StoreFile = async (change, tx, file) => {
      // The change may be run a second time, from its beginning.
      counts = noCounts();
      await differences?.watch(change);
      if (mode === 'replace') counts.removed = await this.removeMissing(change, tx, file);
      await this.merge(change, tx, file, counts);
      if (dryRun) throw new DryRunEnded();
      return counts;
    };
    await begin(store).catch((error: unknown) => {
      if (!(error instanceof DryRunEnded)) throw error;
    });
    return counts;
  }

  private async judge(
    file: ZoneFile,
    zone: ZoneOfFile,
    tenantId: string,
    { incomplete }: ImportRequest,
  ): Promise<void> {
    const bounds = { records: await this.limits.maxRecords(tenantId), octets: file.maxGeneratedOctets };
    const omissions = new OmissionSearch();
    const faults = new ImportErrors();
    let entryCount = 0;
    for await (const batch of readZone(omissions.watch(file), zone, this.types, bounds)) {
      entryCount += batch.length;
      for (const entry of batch) if (entry.kind === 'fault') faults.add(entry);
      if (faults.areMany) break;
    }
    faults.assertNone();
    if (omissions.hasFound && !incomplete) throw incompleteFile();
    // What was cut off or never written must not empty a zone.
    if (entryCount === 0) throw new ServiceError('invalid_object', 'The zone file is empty; nothing was stored.');
  }

  private async merge(change: ZoneChange, tx: Transaction, file: ZoneFile, counts: ImportCounts): Promise<void> {
    const faults = new ImportErrors();
    const facts = await this.merging.begin(tx, change);
    for await (const entries of inPortions(readZone(file, change.zone, this.types))) {
      const records = entries.filter((entry) => entry.kind === 'record' && !this.isGenerated(change, entry.content));
      const contents = records.flatMap((entry) => (entry.kind === 'record' ? [entry.content] : []));
      const merged = await this.merging.merge(tx, change, contents, facts);
      const results = new Map(records.map((entry, at) => [entry, merged[at]]));
      for (const entry of entries) count(entry, results.get(entry), counts, faults);
      if (faults.areMany) break;
    }
    faults.assertNone();
  }

  /** Removes what the file does not have, before anything of it is added: names may change their types in one go. */
  private async removeMissing(change: ZoneChange, tx: Transaction, file: ZoneFile): Promise<number> {
    const { zone } = change;
    await this.seen.begin(tx);
    for await (const entries of inPortions(readZone(file, zone, this.types))) {
      const contents = entries.flatMap((entry) => (entry.kind === 'record' ? [entry.content] : []));
      await this.seen.add(tx, zone.id, contents);
    }
    let removed = 0;
    for await (const records of this.seen.missing(tx, zone.id)) {
      await this.merging.remove(tx, change, records);
      removed += records.length;
    }
    return removed;
  }

  private isGenerated({ zone }: ZoneChange, { ownerKey, type, rdata }: RecordContent): boolean {
    return this.contents.isGenerated(zone, ownerKey, type, rdata);
  }
}

function noCounts(): ImportCounts {
  return { created: 0, updated: 0, unchanged: 0, removed: 0, skipped: 0 };
}

function incompleteFile(): ServiceError {
  return ServiceError.ofField(
    'invalid_object',
    'incomplete',
    'required',
    'The zone file says that records were left out of it; add them and remove those comments, or import it with incomplete set.',
  );
}

/** Ends the transaction of a dry run without storing anything. */
class DryRunEnded extends Error {}

type StoreFile = (change: ZoneChange, tx: Transaction, file: ZoneFile) => Promise<ImportCounts>;

/** So many entries are loaded, judged and written together: some ten milliseconds' work. */
const PORTION = 500;

async function* inPortions(batches: AsyncIterable<readonly ZoneEntry[]>): AsyncGenerator<readonly ZoneEntry[]> {
  let portion: ZoneEntry[] = [];
  for await (const batch of batches) {
    portion.push(...batch);
    if (portion.length < PORTION) continue;
    yield portion;
    portion = [];
  }
  if (portion.length > 0) yield portion;
}

/** @param merged what became of the entry; `undefined` where it is none that is stored */
function count(entry: ZoneEntry, merged: Merged | undefined, counts: ImportCounts, faults: ImportErrors): void {
  if (entry.kind === 'fault') faults.add(entry);
  else if (merged instanceof ServiceError) faults.add({ ...entry, message: merged.message });
  else counts[merged ?? 'skipped'] += 1;
}
