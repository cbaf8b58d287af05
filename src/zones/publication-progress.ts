import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transaction.js';

/** The port through which whoever asks name servers says that one of them has more of a zone than before. */
export abstract class PublicationProgress {
  /** Of these zones a name server has another serial, in the transaction that writes that down. */
  abstract record(tx: Transaction, zoneIds: readonly string[]): Promise<void>;
}

/** Where nobody is told of it. */
@Injectable()
export class UnheededProgress extends PublicationProgress {
  override async record(): Promise<void> {}
}
