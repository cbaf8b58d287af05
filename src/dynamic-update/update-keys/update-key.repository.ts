import { Injectable } from '@nestjs/common';
import type { Instant } from '../../common/clock.js';
import { type UniqueKey, violatesUniqueKey } from '../../database/database-failure.js';
import { Lookup } from '../../database/statements/lookup.js';
import { Reads } from '../../database/reads.js';
import { Statement } from '../../database/statements/statement.js';
import { entityManagerOf, type Transaction } from '../../database/transaction.js';
import { hinted, indexedBy, inKeyOrder } from '../../database/statements/walk.js';
import { UpdateKeyEntity } from './update-key.entity.js';

const ALL =
  'id, name, algorithm, secret, tenant_id AS "tenantId", description, restrictions, created_at AS "createdAt",' +
  ' expires_at AS "expiresAt", revoked_at AS "revokedAt", changed_at AS "changedAt"';
const PAGE_OF_TENANT = hinted<UpdateKeyEntity>(
  `SELECT ${ALL} FROM update_keys${indexedBy('update_keys_of_tenant')} WHERE tenant_id = ? AND (created_at, id) > (?, ?)` +
    ' ORDER BY tenant_id, created_at, id LIMIT ?',
);
const PAGE_BY_CHANGE = hinted<UpdateKeyEntity>(
  `SELECT ${ALL} FROM update_keys${indexedBy('update_keys_changed')} WHERE (changed_at, id) > (?, ?) ORDER BY changed_at, id LIMIT ?`,
);
const COUNT = hinted<{ readonly total: number }>(
  `SELECT COUNT(*) AS total FROM update_keys${indexedBy('update_keys_of_tenant')} WHERE tenant_id = ?`,
);
const FORGET_ENDED = hinted(
  `DELETE FROM update_keys${indexedBy('update_keys_of_tenant')} WHERE tenant_id = ? AND (revoked_at < ? OR expires_at < ?)`,
);
const REVOKE = new Statement('UPDATE update_keys SET revoked_at = ?, changed_at = ? WHERE id = ?');
/** Shares a round trip with the other reads of a change. */
const FIND_STATE = new Lookup<KeyState>(
  'SELECT expires_at AS "expiresAt", revoked_at AS "revokedAt" FROM update_keys WHERE id = ?',
  ['text'],
);
const NAME: UniqueKey = { name: 'update_keys_name', table: 'update_keys', columns: ['name'] };

type KeyState = Pick<UpdateKeyEntity, 'expiresAt' | 'revokedAt'>;

@Injectable()
export class UpdateKeyRepository {
  constructor(private readonly reads: Reads) {}

  /** @param after the last key of the previous page */
  page(tenantId: string, after: UpdateKeyEntity | null, limit: number): Promise<UpdateKeyEntity[]> {
    const values = [tenantId, after?.createdAt ?? -1, after?.id ?? '', limit];
    return this.reads.run((tx) => inKeyOrder(tx, () => PAGE_OF_TENANT.rows(tx, values)));
  }

  /** In change order. */
  changedSince(at: Instant, id: string, limit: number): Promise<UpdateKeyEntity[]> {
    return this.reads.run((tx) => inKeyOrder(tx, () => PAGE_BY_CHANGE.rows(tx, [at, id, limit])));
  }

  find(tx: Transaction, id: string): Promise<UpdateKeyEntity | null> {
    return entityManagerOf(tx).findOneBy(UpdateKeyEntity, { id });
  }

  async isValid(tx: Transaction, id: string, now: Instant): Promise<boolean> {
    const [found] = await FIND_STATE.rows(tx, [], [[id]]);
    if (found?.revokedAt !== null) return false;
    return found.expiresAt === null || found.expiresAt > now;
  }

  isValidNow(id: string, now: Instant): Promise<boolean> {
    return this.reads.run((tx) => this.isValid(tx, id, now));
  }

  async count(tx: Transaction, tenantId: string): Promise<number> {
    return (await COUNT.first(tx, [tenantId]))?.total ?? 0;
  }

  /** @throws an error that `isNameTaken` recognizes */
  async insert(tx: Transaction, key: UpdateKeyEntity): Promise<void> {
    await entityManagerOf(tx).insert(UpdateKeyEntity, key);
  }

  revoke(tx: Transaction, id: string, at: Instant): Promise<void> {
    return REVOKE.run(tx, [at, at, id]);
  }

  forgetEnded(tx: Transaction, tenantId: string, before: Instant): Promise<void> {
    return FORGET_ENDED.run(tx, [tenantId, before, before]);
  }
}

export function isNameTaken(error: unknown): boolean {
  return violatesUniqueKey(error, NAME);
}
