import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { ServiceError } from '../common/service-error.js';
import { RecordTypes } from '../dns/rdata/index.js';
import type { ZoneChange } from '../zones/zone-change.js';
import { ZoneChanges } from '../zones/zone-changes.js';
import { ZoneRepository } from '../zones/zone.repository.js';
import type { NewZone } from '../zones/zone-fields.js';
import { ZonesService } from '../zones/zones.service.js';
import { assertTtlAllowed } from '../zones/minimum-ttl.js';
import type { RecordContent } from '../records/record-content.js';
import { RecordWriter } from '../records/record-writer.js';
import { ImportErrors } from './import-errors.js';
import { ImportLimits } from './import-limits.js';
import { OmissionSearch } from './omissions.js';
import { SeenRecordsRepository } from './seen-records.repository.js';
import { ServedZone } from '../records/served-zone.js';
import type { ZoneFile } from './zone-file.js';
import { readZone, type ZoneOfFile } from './zone-file-reading.js';
import { ZoneFilesOptions } from './zone-files.options.js';

export interface ImportRequest {
  /** `merge` adds to what there is, `replace` also removes what the file does not have. */
  readonly mode: 'merge' | 'replace';
  /** Judges and counts everything, and stores nothing. */
  readonly dryRun: boolean;
  /** Takes in a file that says that something was left out of it. */
  readonly incomplete: boolean;
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
    private readonly writing: RecordWriter,
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
  async import(zoneId: string, caller: Caller, file: ZoneFile, request: ImportRequest): Promise<ImportCounts> {
    const zone = await this.zones.find(zoneId, caller);
    const end = this.options.imports.take(caller.tenantId);
    try {
      await this.judge(file, zone, zone.tenantId, request);
      return await this.counting(request, (store) =>
        this.changes.in(zoneId, caller, (change) => store(change, file), { isLong: true }),
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
    return this.counting(request, (store) => this.domainsService.create(body, caller, (change) => store(change, file)));
  }

  private async counting(
    { mode, dryRun }: ImportRequest,
    begin: (store: (change: ZoneChange, file: ZoneFile) => Promise<void>) => Promise<unknown>,
  ): Promise<ImportCounts> {
    let counts = noCounts();
    const store = async (change: ZoneChange, file: ZoneFile): Promise<void> => {
      // The change may be run a second time, from its beginning.
      counts = noCounts();
      if (mode === 'replace') counts.removed = await this.removeMissing(change, file);
      await this.merge(change, file, counts);
      if (dryRun) throw new DryRunEnded();
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

  private async merge(change: ZoneChange, file: ZoneFile, counts: ImportCounts): Promise<void> {
    const faults = new ImportErrors();
    for await (const batch of readZone(file, change.zone, this.types)) {
      for (const entry of batch) {
        if (entry.kind === 'soa') counts.skipped += 1;
        else if (entry.kind === 'fault') faults.add(entry);
        else
          try {
            counts[await this.mergeOne(change, entry.content)] += 1;
          } catch (error) {
            faults.add({ ...entry, message: messageOfFault(error) });
          }
      }
      if (faults.areMany) break;
    }
    faults.assertNone();
  }

  private async mergeOne(change: ZoneChange, content: RecordContent): Promise<keyof ImportCounts> {
    if (this.isGenerated(change, content)) return 'skipped';
    const stored = await this.writing.addMissing(change, content);
    if (stored === null) {
      this.assertTtlAllowed(change, content);
      return 'created';
    }
    if ((stored.ttl ?? change.zone.ttl) === (content.ttl ?? change.zone.ttl)) return 'unchanged';
    this.assertTtlAllowed(change, content);
    const { name, data, priority, description } = stored;
    await this.writing.change(change, stored, { ...content, name, data, priority, description });
    return 'updated';
  }

  /** Removes what the file does not have, before anything of it is added: names may change their types in one go. */
  private async removeMissing(change: ZoneChange, file: ZoneFile): Promise<number> {
    await this.seen.begin(change);
    for await (const batch of readZone(file, change.zone, this.types))
      for (const entry of batch) {
        if (entry.kind === 'record') await this.seen.add(change, entry.content);
      }
    let removed = 0;
    for await (const record of this.seen.missing(change)) {
      await this.writing.remove(change, record);
      removed += 1;
    }
    return removed;
  }

  private assertTtlAllowed({ caller }: ZoneChange, { ttl }: RecordContent): void {
    assertTtlAllowed(ttl, this.options.minTtl, caller);
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

/** What is wrong with one record; a full quota or a failing database is not the file's fault and ends the import. */
function messageOfFault(error: unknown): string {
  if (!(error instanceof ServiceError) || error.code === 'over_quota' || error.code === 'unavailable') throw error;
  return error.message;
}
