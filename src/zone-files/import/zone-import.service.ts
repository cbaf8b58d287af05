import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { ServiceError } from '../../common/service-error.js';
import type { Transaction } from '../../database/transaction.js';
import { RecordStaging, type StagedRecords } from '../../records/changes/record-staging.js';
import { StaleSnapshotError, type StagedContents } from '../../zones/staged-imports/staged-imports.js';
import type { ZoneChange } from '../../zones/changes/zone-change.js';
import { type ChangeHook, HookGuard } from '../../zones/changes/change-hook.js';
import { ContentsReplacer } from '../../zones/staged-imports/contents-replacer.js';
import { type NewZone, assertHasOwnRecords } from '../../zones/zone-fields.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ZoneRepository } from '../../zones/zone.repository.js';
import { ZoneCreator } from '../../zones/zone-creator.js';
import type { ZoneFile } from '../zone-file.js';
import { type ImportCounts, type ImportRequest, ZoneFileStoring } from './zone-file-storing.js';
import { ZoneFilesOptions } from '../zone-files.options.js';

export type { RepairKind } from '../../dns/master-file/master-file.js';
export type { ImportFinding } from './import-findings.js';
export type { ImportRepair, Repair } from './import-repairs.js';
export type { ImportCounts, ImportRequest } from './zone-file-storing.js';

/** Octets or entries from which an import is prepared outside the lock: it would block others for a second. */
const LARGE_FILE = 262_144;
const MANY_ENTRIES = 5000;
/** Attempts for a zone that keeps changing. */
const PREPARATIONS = 2;

interface Destination {
  zone(): Promise<Readonly<ZoneEntity>>;
  /** Runs `store` inside the one change of the zone, on the connection that prepared it. */
  change(store: Store, prepared?: StagedContents): Promise<ImportCounts>;
}

type Store = (change: ZoneChange, tx: Transaction) => Promise<ImportCounts>;

/** Imports master files (RFC 1035 §5) into zones, each as one change. */
@Injectable()
export class ZoneImportService {
  /** @internal */
  constructor(
    private readonly zones: ZoneRepository,
    private readonly making: ZoneCreator,
    private readonly replacer: ContentsReplacer,
    private readonly storing: ZoneFileStoring,
    private readonly staging: RecordStaging,
    private readonly guard: HookGuard,
    private readonly options: ZoneFilesOptions,
  ) {}

  /**
   * Imports a zone file as one change.
   * @throws ServiceError `zone_not_found`, `over_quota`, `file_too_large`, `unavailable`, and `invalid_object` with one
   *   error for each line at fault
   */
  async import(
    zoneId: string,
    caller: Caller,
    file: ZoneFile,
    request: ImportRequest,
    hook: ChangeHook<ImportCounts> | null = null,
  ): Promise<ImportCounts> {
    assertHasOwnRecords(await this.zones.find(zoneId, caller));
    const end = this.options.imports.take(caller.tenantId);
    try {
      return await this.importInto(
        this.existing(zoneId, caller, hook && this.guard.around(hook, caller)),
        caller,
        file,
        request,
      );
    } finally {
      end();
    }
  }

  /**
   * Imports a file into a new zone. If the import fails or is a dry run, the zone is not created.
   * @throws ServiceError as `import` and `ZoneCreator.create`
   */
  importNew(
    body: NewZone,
    caller: Caller,
    file: ZoneFile,
    request: ImportRequest,
    hook: ChangeHook<ZoneEntity> | null = null,
  ): Promise<ImportCounts> {
    const zone = this.making.drafted(body, caller);
    const change = async (store: Store, prepared?: StagedContents): Promise<ImportCounts> => {
      const stored: ImportCounts[] = [];
      const fill = async (inside: ZoneChange, tx: Transaction): Promise<void> => {
        const counts = await store(inside, tx);
        stored.push(counts);
        request.onStored?.(counts);
      };
      await this.making.create(body, caller, { fill, draft: zone, hook, ...(prepared && { prepared }) });
      return stored.at(-1) ?? Promise.reject(new Error('a zone was made without its records'));
    };
    return this.importInto({ zone: () => Promise.resolve(zone), change }, caller, file, request);
  }

  private existing(zoneId: string, caller: Caller, hook: ChangeHook<ImportCounts> | null): Destination {
    const changeWith = (store: Store) => async (change: ZoneChange, tx: Transaction) => {
      await hook?.load?.(tx, change.zone);
      hook?.admit?.(change.zone);
      const counts = await store(change, tx);
      await hook?.write?.(tx, { value: counts });
      return counts;
    };
    return {
      zone: () => this.zones.find(zoneId, caller),
      change: (store, prepared) => this.replacer.change(zoneId, caller, changeWith(store), prepared),
    };
  }

  /** Prepares large files outside the lock. */
  private async importInto(
    destination: Destination,
    caller: Caller,
    file: ZoneFile,
    request: ImportRequest,
  ): Promise<ImportCounts> {
    const judge = async () => this.storing.judge(file, await destination.zone());
    let isJudged = false;
    if (file.size < LARGE_FILE) {
      isJudged = true;
      const findings = await judge();
      const { hasFaults, entryCount } = findings;
      if (hasFaults && entryCount < MANY_ENTRIES) await this.assertWithoutConflicts(destination, file, request);
      findings.assertTaken(request.incomplete);
      if (entryCount < MANY_ENTRIES) return this.importAtOnce(destination, file, request);
    }
    for (let attempt = 0; attempt < PREPARATIONS; attempt += 1) {
      const counts = await this.importPrepared(destination, caller, file, request);
      if (counts !== null) return counts;
    }
    if (!isJudged) (await judge()).assertTaken(request.incomplete);
    return this.importAtOnce(destination, file, request);
  }

  /** Reports the conflicts of records together with the faults of lines, so that users correct a file once. */
  private async assertWithoutConflicts(
    destination: Destination,
    file: ZoneFile,
    request: ImportRequest,
  ): Promise<void> {
    try {
      await this.importAtOnce(destination, file, { ...request, dryRun: true });
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'invalid_object') throw error;
    }
  }

  private importAtOnce(destination: Destination, file: ZoneFile, request: ImportRequest): Promise<ImportCounts> {
    return this.changing(destination, request, async (change, tx) => {
      await request.differences?.watch(change);
      return this.storing.store({ change, run: (work) => work(tx) }, file, request);
    });
  }

  /** Returns `null` if the database cannot prepare it, or if the zone has changed meanwhile. */
  private async importPrepared(
    destination: Destination,
    caller: Caller,
    file: ZoneFile,
    request: ImportRequest,
  ): Promise<ImportCounts | null> {
    const zone = await destination.zone();
    const staged = await this.staging.begin(zone, caller);
    if (staged === null) return null;
    try {
      const counts = await this.prepare(staged, file, request);
      const store: Store = async (change, tx) => {
        if (!request.dryRun) await this.staging.bringIn(change, tx, staged);
        return counts;
      };
      return await this.changing(destination, request, store, ...(request.dryRun ? [] : [staged]));
    } catch (error) {
      if (error instanceof StaleSnapshotError || (await this.hasChanged(destination, zone))) return null;
      throw error;
    } finally {
      await staged.close();
    }
  }

  private async prepare(staged: StagedRecords, file: ZoneFile, request: ImportRequest): Promise<ImportCounts> {
    const { change } = staged;
    const target = { change, run: staged.run.bind(staged) };
    await request.differences?.watch(change);
    const counts = await this.storing.judgeAndStore(target, file, request);
    await staged.end();
    return counts;
  }

  /** A change of the zone may have caused the error. */
  private async hasChanged(destination: Destination, before: Readonly<ZoneEntity>): Promise<boolean> {
    const { version, changedAt } = await destination.zone();
    return version !== before.version || changedAt !== before.changedAt;
  }

  private async changing(
    destination: Destination,
    { dryRun }: ImportRequest,
    store: Store,
    prepared?: StagedContents,
  ): Promise<ImportCounts> {
    try {
      return await destination.change(async (change, tx) => {
        const counts = await store(change, tx);
        if (dryRun) throw new DryRunEnded(counts);
        return counts;
      }, prepared);
    } catch (error) {
      if (error instanceof DryRunEnded) return error.counts;
      throw error;
    }
  }
}

/** Rolls back a dry run. */
class DryRunEnded extends Error {
  constructor(readonly counts: ImportCounts) {
    super();
  }
}
