import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import type { Transaction } from '../database/transaction.js';
import { RecordTypes } from '../dns/rdata/index.js';
import type { ChangeCompanion, LoadedWork, ZoneWork } from '../zones/zone-batch.js';
import { ZoneChanges } from '../zones/zone-changes.js';
import { assertHasOwnRecords } from '../zones/zone-type.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import { carryOut } from './operation-list.js';
import type { DoneOperation, RecordOperation } from './record-operation.js';
import type { DoneSetOperation, RecordSetOperation } from './record-set-operation.js';
import { carryOutOnSet } from './record-set-performing.js';
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
  /** The service makes it for itself, and no tenant is to wait for that. */
  readonly isUnlimited?: boolean;
}

/**
 * The way of every change of records: a list of operations on one zone, all of it or nothing, judged by the state that it
 * leads to (behaviour 9). An operation on a whole record set takes the same way.
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
  async apply(
    zoneId: string,
    caller: Caller,
    operations: readonly RecordOperation[],
    { isDryRun = false, companion = null, isUnlimited = false }: ChangeOptions = {},
  ): Promise<DoneChange> {
    const size = operations.reduce((sum, one) => sum + (one.action === 'replace' ? 1 + one.contents.length : 1), 0);
    const requested = { zoneId, caller, request: operations, isDryRun, companion, isUnlimited };
    // Whoever asks for operations on records is told what they did.
    return (await this.ask(requested, size)) as DoneChange;
  }

  /**
   * @throws ServiceError `zone_not_found`, `record_set_not_found`, `duplicate_record_set`, `over_quota`, `unavailable`, and
   *   what a record of the set is refused for
   */
  async applyToSet(
    zoneId: string,
    caller: Caller,
    operation: RecordSetOperation,
    companion: ChangeCompanion<DoneSetOperation> | null = null,
  ): Promise<DoneSetOperation> {
    const size = 1 + ('contents' in operation ? (operation.contents?.length ?? 0) : 0);
    const requested = { zoneId, caller, request: operation, isDryRun: false, companion };
    // Whoever asks for an operation on a set is told what it did.
    return (await this.ask(requested, size)) as DoneSetOperation;
  }
}

/** A list of operations on records, or one on a record set. */
type Request = readonly RecordOperation[] | RecordSetOperation;
type Done = DoneChange | DoneSetOperation;

/** Changes that arrive together. */
class RecordWork implements ZoneWork<Request, Done> {
  constructor(
    private readonly loader: StateLoader,
    private readonly writer: StateWriter,
    private readonly types: RecordTypes,
    private readonly options: RecordsOptions,
  ) {}

  idsOf(request: Request): readonly string[] {
    return isOnSet(request) ? [] : request.flatMap((operation) => ('id' in operation ? [operation.id] : []));
  }

  async load(
    tx: Transaction,
    zone: Readonly<ZoneEntity>,
    requests: readonly Request[],
  ): Promise<LoadedWork<Request, Done>> {
    const { state, check } = await this.loader.forOperations(tx, zone, requests.flat());
    const { knownTypes, minTtl } = this.options;
    const rules = { types: this.types, knownTypes, minTtl, check };
    return {
      judge: (change, request, isDryRun) => {
        assertHasOwnRecords(change.zone);
        if (isOnSet(request)) return carryOutOnSet(state, change, request, rules);
        const operations = carryOut(state, change, request, rules, isDryRun);
        return { serial: change.zoneAfter.serial, operations };
      },
      write: (writing) => this.writer.write(writing, state),
    };
  }
}

function isOnSet(request: Request): request is RecordSetOperation {
  return 'action' in request;
}
