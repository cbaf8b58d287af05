import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import type { Transaction } from '../database/transaction.js';
import { RecordTypes } from '../dns/rdata/index.js';
import type { ChangeCompanion, LoadedWork, ZoneWork } from '../zones/zone-batch.js';
import { ZoneChanges } from '../zones/zone-changes.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import { carryOut } from './operation-list.js';
import type { DoneOperation, RecordOperation } from './record-operation.js';
import { RecordsOptions } from './records.options.js';
import { StateLoader } from './state-loader.js';
import { StateWriter } from './state-writer.js';

/** What a list of operations did. */
export interface DoneChange {
  /** The zone's serial after it. */
  readonly serial: number;
  /** In the order of the operations. */
  readonly operations: readonly DoneOperation[];
}

export interface ChangeOptions {
  /** Answers as if it were done, and leaves everything as it was. */
  readonly isDryRun?: boolean;
  readonly companion?: ChangeCompanion<DoneChange> | null;
}

/**
 * The way of every change of records: a list of operations on one zone, all of it or nothing, judged by the state that it
 * leads to (behaviour 9).
 */
@Injectable()
export class RecordChanges {
  private readonly ask = this.changes.inBatch(new RecordWork(this.loader, this.writer, this.types, this.options));

  constructor(
    private readonly changes: ZoneChanges,
    private readonly loader: StateLoader,
    private readonly writer: StateWriter,
    private readonly types: RecordTypes,
    private readonly options: RecordsOptions,
  ) {}

  /**
   * @throws OperationsRefused with what is wrong with each operation; ServiceError `zone_not_found`, `over_quota`,
   *   `unavailable`, and what `companion` refuses it with
   */
  apply(
    zoneId: string,
    caller: Caller,
    operations: readonly RecordOperation[],
    { isDryRun = false, companion = null }: ChangeOptions = {},
  ): Promise<DoneChange> {
    const size = operations.reduce((sum, one) => sum + (one.action === 'replace' ? 1 + one.contents.length : 1), 0);
    return this.ask({ zoneId, caller, request: operations, isDryRun, companion }, size);
  }
}

type Operations = readonly RecordOperation[];

/** Lists of operations that arrive together. */
class RecordWork implements ZoneWork<Operations, DoneChange> {
  constructor(
    private readonly loader: StateLoader,
    private readonly writer: StateWriter,
    private readonly types: RecordTypes,
    private readonly options: RecordsOptions,
  ) {}

  idsOf(operations: Operations): readonly string[] {
    return operations.flatMap((operation) => ('id' in operation ? [operation.id] : []));
  }

  async load(
    tx: Transaction,
    zone: Readonly<ZoneEntity>,
    requests: readonly Operations[],
  ): Promise<LoadedWork<Operations, DoneChange>> {
    const { state, check } = await this.loader.forOperations(tx, zone, requests.flat());
    const { knownTypes, minTtl } = this.options;
    const rules = { types: this.types, knownTypes, minTtl, check };
    return {
      judge: (change, request, isDryRun) => {
        const operations = carryOut(state, change, request, rules, isDryRun);
        return { serial: change.zoneAfter.serial, operations };
      },
      write: (writing) => this.writer.write(writing, state),
    };
  }
}
