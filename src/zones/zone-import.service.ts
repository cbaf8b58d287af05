import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { ServiceError } from '../common/service-error.js';
import { RecordTypes } from '../dns/rdata/index.js';
import type { DomainChange } from '../domains/domain-change.js';
import { DomainChanges } from '../domains/domain-changes.js';
import { DomainRepository } from '../domains/domain.repository.js';
import { DomainsService } from '../domains/domains.service.js';
import type { CreateDomainDto } from '../domains/dto/create-domain.dto.js';
import { assertTtlAllowed } from '../domains/minimum-ttl.js';
import type { RecordContent } from '../records/record-content.js';
import { RecordWriting } from '../records/record-writing.js';
import { ImportFaults } from './import-faults.js';
import { SeenRecordsRepository } from './seen-records.repository.js';
import { ZoneContents } from './zone-contents.js';
import type { ZoneFile } from './zone-file.js';
import { readZone, type ZoneOfFile } from './zone-reading.js';
import { ZONES_OPTIONS, type ZonesOptions } from './zones.options.js';

export interface ImportRequest {
  /** `merge` adds to what there is, `replace` also removes what the file does not have. */
  readonly mode: 'merge' | 'replace';
  /** Judges and counts everything, and stores nothing. */
  readonly dryRun: boolean;
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
    private readonly domains: DomainRepository,
    private readonly domainsService: DomainsService,
    private readonly changes: DomainChanges,
    private readonly writing: RecordWriting,
    private readonly contents: ZoneContents,
    private readonly types: RecordTypes,
    private readonly seen: SeenRecordsRepository,
    @Inject(ZONES_OPTIONS) private readonly options: ZonesOptions,
  ) {}

  /**
   * Takes in a zone file as one change. It is read once to judge it, while others change what they like, and again
   * inside the change to store it.
   * @throws ServiceError `domain_not_found`, `over_quota`, and `invalid_object` with one error for each line at fault
   */
  async import(domainId: string, caller: Caller, file: ZoneFile, request: ImportRequest): Promise<ImportCounts> {
    const domain = await this.domains.find(domainId, caller);
    await this.judge(file, domain);
    return this.counting(request, (store) =>
      this.changes.in(domainId, caller, (change) => store(change, file), { isLong: true }),
    );
  }

  /**
   * The same into a domain that is made with it: when the file is at fault, or only tried, there is no domain either.
   * @throws ServiceError as `import`, and what refuses the domain
   */
  async importNew(
    body: CreateDomainDto,
    caller: Caller,
    file: ZoneFile,
    request: ImportRequest,
  ): Promise<ImportCounts> {
    await this.judge(file, { name: body.name, ttl: body.ttl ?? null });
    return this.counting(request, (store) => this.domainsService.create(body, caller, (change) => store(change, file)));
  }

  private async counting(
    { mode, dryRun }: ImportRequest,
    begin: (store: (change: DomainChange, file: ZoneFile) => Promise<void>) => Promise<unknown>,
  ): Promise<ImportCounts> {
    let counts = noCounts();
    const store = async (change: DomainChange, file: ZoneFile): Promise<void> => {
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

  private async judge(file: ZoneFile, domain: ZoneOfFile): Promise<void> {
    const faults = new ImportFaults();
    let entryCount = 0;
    for await (const batch of readZone(file, domain, this.types)) {
      entryCount += batch.length;
      for (const entry of batch) if (entry.kind === 'fault') faults.add(entry);
      if (faults.areMany) break;
    }
    faults.assertNone();
    // What was cut off or never written must not empty a domain.
    if (entryCount === 0) throw new ServiceError('invalid_object', 'The zone file is empty; nothing was stored.');
  }

  private async merge(change: DomainChange, file: ZoneFile, counts: ImportCounts): Promise<void> {
    const faults = new ImportFaults();
    for await (const batch of readZone(file, change.domain, this.types)) {
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

  private async mergeOne(change: DomainChange, content: RecordContent): Promise<keyof ImportCounts> {
    if (this.isGenerated(change, content)) return 'skipped';
    const stored = await this.writing.addMissing(change, content);
    if (stored === null) {
      this.assertTtlAllowed(change, content);
      return 'created';
    }
    if ((stored.ttl ?? change.domain.ttl) === (content.ttl ?? change.domain.ttl)) return 'unchanged';
    this.assertTtlAllowed(change, content);
    const { name, data, priority, description } = stored;
    await this.writing.change(change, stored, { ...content, name, data, priority, description });
    return 'updated';
  }

  /** Removes what the file does not have, before anything of it is added: names may change their types in one go. */
  private async removeMissing(change: DomainChange, file: ZoneFile): Promise<number> {
    await this.seen.begin(change);
    for await (const batch of readZone(file, change.domain, this.types))
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

  private assertTtlAllowed({ caller }: DomainChange, { ttl }: RecordContent): void {
    assertTtlAllowed(ttl, this.options.minTtl, caller);
  }

  private isGenerated({ domain }: DomainChange, { ownerKey, type, rdata }: RecordContent): boolean {
    return this.contents.isGenerated(domain, ownerKey, type, rdata);
  }
}

function noCounts(): ImportCounts {
  return { created: 0, updated: 0, unchanged: 0, removed: 0, skipped: 0 };
}

/** Ends the transaction of a dry run without storing anything. */
class DryRunEnded extends Error {}

/** What is wrong with one record; a full quota or a failing database is not the file's fault and ends the import. */
function messageOfFault(error: unknown): string {
  if (!(error instanceof ServiceError) || error.code === 'over_quota' || error.code === 'unavailable') throw error;
  return error.message;
}
