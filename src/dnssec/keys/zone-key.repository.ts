import { Injectable } from '@nestjs/common';
import { Statement } from '../../database/statements/statement.js';
import { entityManagerOf, type Transaction } from '../../database/transaction.js';
import { ZoneKeyEntity } from './zone-key.entity.js';

const COLUMNS =
  'id, zone_id AS "zoneId", name_key AS "nameKey", tenant_id AS "tenantId", role, algorithm, tag, dnskey, sealed,' +
  ' sealed_with AS "sealedWith", dnskey_state AS "dnskeyState", signing_state AS "signingState", ds_state AS "dsState",' +
  ' states_since AS "statesSince", created_at AS "createdAt", retired_at AS "retiredAt"';
const OF_ZONE = new Statement<ZoneKeyEntity>(`SELECT ${COLUMNS} FROM zone_keys WHERE zone_id = ? ORDER BY id`);
const RETIRE = new Statement('UPDATE zone_keys SET retired_at = ? WHERE zone_id = ? AND retired_at IS NULL');

/** The keys of zones. */
@Injectable()
export class ZoneKeyRepository {
  /** All of the zone that are known, in the order in which they were made. */
  ofZone(tx: Transaction, zoneId: string): Promise<ZoneKeyEntity[]> {
    return OF_ZONE.rows(tx, [zoneId]);
  }

  async insert(tx: Transaction, keys: readonly ZoneKeyEntity[]): Promise<void> {
    for (const key of keys) await entityManagerOf(tx).insert(ZoneKeyEntity, key);
  }

  /** From now on they sign nothing and are not published. */
  retire(tx: Transaction, zoneId: string, at: number): Promise<void> {
    return RETIRE.run(tx, [at, zoneId]);
  }
}
