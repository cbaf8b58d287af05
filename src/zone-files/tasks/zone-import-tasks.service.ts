import { Injectable, Logger } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { ServiceError } from '../../common/service-error.js';
import { RecordTypes } from '../../dns/rdata/index.js';
import type { ChangeHook } from '../../zones/changes/change-hook.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { messageForPeople } from './task-message.js';
import { zoneFileOf } from '../zone-file.js';
import { readZoneHeader } from '../export/zone-file-header.js';
import { ZoneFilesOptions } from '../zone-files.options.js';
import { repairLines } from '../import/import-repairs.js';
import { type ImportCounts, type ImportRequest, ZoneImportService } from '../import/zone-import.service.js';
import { MAX_TASK_MESSAGE, type ZoneTaskEntity } from './zone-task.entity.js';
import { ZoneTasksService } from './zone-tasks.service.js';

/** The whole file or nothing, and the service's own name servers whatever the file says. */
const WHOLE_ZONE: ImportRequest = { mode: 'merge', dryRun: false, incomplete: false, skipsApexNs: true };

export const INTERRUPTED =
  'The service was stopped before the import was done, and nothing was stored; send the file again.';

/**
 * Imports whose clients look later what became of them: each makes a zone of a whole zone file. The file is in the memory
 * of the process that has taken it, which alone works on it.
 */
@Injectable()
export class ZoneImportTasksService {
  private readonly logger = new Logger('Zonewright');
  private readonly running = new Map<string, Promise<void>>();
  private isStopping = false;

  constructor(
    private readonly tasks: ZoneTasksService,
    private readonly imports: ZoneImportService,
    private readonly types: RecordTypes,
    private readonly options: ZoneFilesOptions,
  ) {}

  /** The ids of those that this process works on. */
  get underWay(): readonly string[] {
    return [...this.running.keys()];
  }

  /**
   * Takes a zone file, whatever is in it.
   * @throws ServiceError `unavailable` where the tenant, or all together, have as many under way as they may; `rate_limited`
   */
  async begin(caller: Caller, octets: Uint8Array): Promise<ZoneTaskEntity> {
    if (this.isStopping) throw new ServiceError('unavailable', 'The service is stopping; try again later.');
    const end = this.options.imports.take(caller.tenantId);
    try {
      const task = this.tasks.draft('import', caller);
      await this.tasks.store(task, caller);
      this.running.set(
        task.id,
        this.run(task, caller, octets).finally(() => {
          this.running.delete(task.id);
          end();
        }),
      );
      return task;
    } catch (error) {
      end();
      throw error;
    }
  }

  /** Ends those that are under way: what has not been stored until now is not stored any more. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.allSettled(this.underWay.map((id) => this.tasks.fail(id, INTERRUPTED)));
    await Promise.all(this.running.values());
  }

  /** Every outcome is stored in the task. */
  private async run(task: ZoneTaskEntity, caller: Caller, octets: Uint8Array): Promise<void> {
    try {
      await this.makeZone(task, caller, octets);
    } catch (error) {
      await this.fail(task, caller, error);
    }
  }

  private async makeZone(task: ZoneTaskEntity, caller: Caller, octets: Uint8Array): Promise<void> {
    const file = zoneFileOf(octets, this.options.maxBodySize);
    const zone = await readZoneHeader(file, this.types);
    let repairs: readonly string[] = [];
    const request = { ...WHOLE_ZONE, onStored: (counts: ImportCounts) => (repairs = repairLines(counts.repairs)) };
    // The zone and the end of the task are one transaction: a task that says COMPLETE has made it, and no other has.
    const completing: ChangeHook<ZoneEntity> = {
      isOurs: true,
      write: async (tx, outcome) => {
        if ('value' in outcome)
          await this.tasks.complete(tx, task, {
            message: [`${zone.name} imported`, ...repairs].join('; ').slice(0, MAX_TASK_MESSAGE),
            zoneId: outcome.value.id,
          });
      },
    };
    await this.imports.importNew(zone, caller, file, request, completing);
  }

  private async fail(task: ZoneTaskEntity, { requestId }: Caller, error: unknown): Promise<void> {
    if (!(error instanceof ServiceError))
      this.logger.error(`${requestId} import ${task.id}: ${error instanceof Error ? error.stack : String(error)}`);
    try {
      await this.tasks.fail(task.id, messageForPeople(error, requestId));
    } catch (failure) {
      // `ZoneTaskUpkeep` ends it when the database is there again.
      this.logger.warn(`${requestId} import ${task.id} could not be ended: ${String(failure)}`);
    }
  }
}
