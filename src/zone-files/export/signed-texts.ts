import type { Transaction } from '../../database/transaction.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';

/** The port through which whoever signs zones writes what is published of them. */
export abstract class SignedTexts {
  /**
   * The lines of a zone that is published as signed, portion by portion.
   * @param tx sees one moment
   */
  abstract lines(tx: Transaction, zone: ZoneEntity): AsyncIterable<string>;
}
