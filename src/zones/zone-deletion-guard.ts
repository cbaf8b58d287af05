import type { Caller } from '../common/caller.js';
import type { Transaction } from '../database/transaction.js';
import type { ZoneEntity } from './zone.entity.js';

/** The port through which others say that the end of a zone would harm whoever asks for it. */
export abstract class ZoneDeletionGuard {
  /** @throws ServiceError where it would, and the caller has not said that it knows */
  abstract assertDeletable(tx: Transaction, zone: Readonly<ZoneEntity>, caller: Caller): Promise<void>;
}
