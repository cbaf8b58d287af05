import { Injectable } from '@nestjs/common';
import { ServiceError } from '../common/service-error.js';
import type { Transaction } from '../database/transaction.js';

/** Publication of a change (behaviour 13.3). */
export type PublicationStatus = 'ACTIVE' | 'PENDING' | 'ERROR';

/** SQL without values, for both databases. */
export interface ZoneRowsSql {
  readonly from: string;
  readonly where: string;
  readonly zoneId: string;
}

/** Port: reports which changes are published. It returns SQL, because lists filter and sort by the status. */
export abstract class ZonePublication {
  /**
   * SQL expression without values, for both databases: `ACTIVE` if all name servers have the serial or a later one,
   * `ERROR` if one refuses the zone, otherwise `PENDING`.
   * @param zoneId SQL for the zone id, such as `z.id`
   * @param serial SQL for the serial of the change; `z.serial` for the whole zone
   */
  abstract statusSql(zoneId: string, serial: string): string;

  /**
   * Condition for the zones that a name server lacks, or answers differently for.
   * @param server `192.0.2.53:53`
   * @throws ServiceError `invalid_object` for a server that is not in the pool
   */
  behindSql(server: string): { readonly sql: string; readonly values: readonly string[] } {
    const message = `behind: ${server} is not a name server of the pool; take an address of /v1/name-servers.`;
    throw ServiceError.ofField('invalid_object', 'behind', 'enum', message);
  }

  /**
   * Rows of all zones whose status is `ERROR`, maybe of others, one for each zone, in the order of an index.
   * `null`: lists search all zones.
   */
  failedSql(): readonly ZoneRowsSql[] | null {
    return null;
  }

  /** Names of the name servers that have neither the serial nor a later one. */
  async lacking(_tx: Transaction, _zoneId: string, _serial: number): Promise<readonly string[]> {
    return [];
  }

  /** Keeps the copies on the name servers when the zone is deleted, in the same transaction. */
  async abandon(_tx: Transaction, _zoneId: string): Promise<void> {}
}

/** Without publishing, each change is `ACTIVE`. */
@Injectable()
export class PublishedAtOnce extends ZonePublication {
  override statusSql(): string {
    return "'ACTIVE'";
  }

  override failedSql(): readonly ZoneRowsSql[] {
    return [];
  }
}

/** Id of the only pool: the id of the default pool of Designate. */
export const POOL_ID = '794ccc2c-d751-44fe-b57f-8894c9f5c842';

/** Port: receives the publication progress of zones. */
export abstract class PublicationProgress {
  /** Called in the transaction that stores the new serials of a name server. */
  abstract record(tx: Transaction, zoneIds: readonly string[]): Promise<void>;
}

@Injectable()
export class UnheededProgress extends PublicationProgress {
  override async record(): Promise<void> {}
}
