import { Injectable, Logger } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { ServiceError } from '../../common/service-error.js';
import { RecordTypes } from '../../dns/rdata/index.js';
import type { ChangeHook } from '../../zones/changes/change-hook.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { zoneFileOf } from '../zone-file.js';
import { readZoneHeader } from '../import/zone-file-header.js';
import { ZoneFilesOptions } from '../zone-files.options.js';
import { repairLines } from '../import/import-repairs.js';
import { type ImportCounts, type ImportRequest, ZoneImportService } from '../import/zone-import.service.js';
import { MAX_TASK_MESSAGE, type ZoneTaskEntity } from './zone-task.entity.js';
import { ZoneTasksService } from './zone-tasks.service.js';

const WHOLE_ZONE: ImportRequest = { mode: 'merge', dryRun: false, incomplete: false, skipsApexNs: true };

export const INTERRUPTED =
  'The service stopped before the import was complete, and nothing was stored; send the file again.';

/** The file is in the memory of the process that accepted it, so no other process runs the import. */
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

  get underWay(): readonly string[] {
    return [...this.running.keys()];
  }

  /** Accepts any octets. Throws `unavailable` at the maximum of running imports. */
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

  /** The imports store nothing afterwards. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.allSettled(this.underWay.map((id) => this.tasks.fail(id, INTERRUPTED)));
    await Promise.all(this.running.values());
  }

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
    // One transaction creates the zone and completes the task, so COMPLETE means that the zone exists.
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
      // `ZoneTaskUpkeep` ends the task once the database is back.
      this.logger.warn(
        `${requestId} Cannot mark import ${task.id} as failed (${String(failure)}). Retrying when the database is back.`,
      );
    }
  }
}

/** Errors that the message lists. */
const TOLD = 5;

function messageForPeople(error: unknown, requestId: string): string {
  if (!(error instanceof ServiceError))
    return `The service failed unexpectedly. Tell the operator the request id ${requestId}.`;
  const { message, errors } = error;
  const faults = errors
    .filter((fault) => fault.message !== message)
    .slice(0, TOLD)
    .map((fault) => `${fault.path}: ${fault.message}`);
  return [message, ...faults, ...(errors.length > TOLD ? ['…'] : [])].join(' ');
}
