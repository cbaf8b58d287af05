import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/transaction.js';
import { RecordTypes } from '../../dns/rdata/index.js';
import type { ZoneChange } from '../../zones/changes/zone-change.js';
import { RecordsOptions } from '../records.options.js';
import { applyAll } from './operation-list.js';
import type { DoneOperation, RecordOperation } from './record-operation.js';
import { StateLoader } from './state/state-loader.js';
import { StateWriter } from './state/state-writer.js';

/** Applies operations inside a change that already holds the zone, such as the change that creates it. */
@Injectable()
export class InnerOperations {
  constructor(
    private readonly loader: StateLoader,
    private readonly writer: StateWriter,
    private readonly types: RecordTypes,
    private readonly options: RecordsOptions,
  ) {}

  /** Adds the steps to the change, which writes them at its end. After an error, abandon the change. */
  async applyAll(
    tx: Transaction,
    change: ZoneChange,
    operations: readonly RecordOperation[],
  ): Promise<DoneOperation[]> {
    const { state, check } = await this.loader.forOperations(tx, change.zone, operations);
    const { knownTypes, minTtl } = this.options;
    const done = applyAll(state, change, operations, { types: this.types, knownTypes, minTtl, check }, false);
    await this.writer.write(tx, state);
    return done;
  }
}
