import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transaction.js';

/** How a change stands to the name servers (behaviour 13.3). */
export type PublicationStatus = 'ACTIVE' | 'PENDING' | 'ERROR';

/**
 * The port through which whoever publishes zones says which changes have been published. It speaks in SQL, because lists are
 * filtered and sorted by it.
 */
export abstract class ZonePublication {
  /**
   * An SQL expression, for both databases and without values, that is `ACTIVE` where every name server has that serial of the
   * zone or a later one, `ERROR` where one refuses it, and `PENDING` otherwise.
   * @param zoneId an SQL expression for the zone's id, as `z.id`
   * @param serial one for the serial that the change has got: `z.serial` for all that is in the zone
   */
  abstract statusSql(zoneId: string, serial: string): string;

  /** The name servers that have neither that serial of the zone nor a later one, by the names that messages have for them. */
  async lacking(_tx: Transaction, _zoneId: string, _serial: number): Promise<readonly string[]> {
    return [];
  }

  /** Has name servers keep the copy that they have of a zone that is about to be deleted, in the same transaction. */
  async abandon(_tx: Transaction, _zoneId: string): Promise<void> {}
}

/** Where nothing is published, a change has arrived as soon as it is made. */
@Injectable()
export class PublishedAtOnce extends ZonePublication {
  override statusSql(): string {
    return "'ACTIVE'";
  }
}
