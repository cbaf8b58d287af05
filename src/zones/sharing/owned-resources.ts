import type { Transaction } from '../../database/transaction.js';

/** The port through which what others keep for a zone, beside its contents, goes along to a new owner. */
export abstract class OwnedResources {
  abstract makeOwn(tx: Transaction, zoneId: string, tenantId: string): Promise<void>;
}
