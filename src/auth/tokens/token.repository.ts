import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { type Instant, formatInstantOrNull } from '../../common/clock.js';
import { type AuditedAct, AuditTrail } from '../../database/audit/audit-trail.js';
import { lockAcrossProcesses } from '../../database/locks.js';
import { hasLabels, type LabelFilter, type LabelsColumn, labelsOf } from '../../common/labels.js';
import { Reads } from '../../database/reads.js';
import { Lookup } from '../../database/statements/lookup.js';
import { Statement } from '../../database/statements/statement.js';
import { entityManagerOf, type Transaction } from '../../database/transaction.js';
import {
  forEachDatabase,
  hinted,
  indexedBy,
  inKeyOrder,
  lookedUp,
  primaryKeyOf,
} from '../../database/statements/walk.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { readRestrictions } from '../scopes/token-scope.js';
import { TokenEntity } from './token.entity.js';

export type StoredToken = Pick<
  TokenEntity,
  'id' | 'hash' | 'tenantId' | 'roles' | 'expiresAt' | 'revokedAt' | 'restrictions' | 'lastUsedAt' | 'lastUsedFrom'
>;

const DECIDING =
  'id, hash, tenant_id AS "tenantId", roles, expires_at AS "expiresAt", revoked_at AS "revokedAt", restrictions,' +
  ' last_used_at AS "lastUsedAt", last_used_from AS "lastUsedFrom"';
const ALL =
  `${DECIDING}, description, created_at AS "createdAt", parent_id AS "parentId", made_by_user AS "madeByUser"` as const;
const FIND_BY_HASH = new Lookup<StoredToken>(`SELECT ${DECIDING} FROM tokens WHERE hash = ?`, ['text']);
const FIND_VALID = new Statement<StoredToken>(
  `SELECT ${DECIDING} FROM tokens WHERE id = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)`,
);
/** A token and all tokens derived from it. Each part of the query uses its index. */
const treeOf = (roots: string, children: string): string =>
  `WITH RECURSIVE tree (id) AS (${roots} UNION ALL ${children}) SELECT id FROM tree`;
const treesFrom = ([forSqlite, forPostgres]: ForEach): ForEach => [
  treeOf(
    forSqlite,
    'SELECT child.id FROM tree CROSS JOIN tokens child INDEXED BY tokens_parent ON child.parent_id = tree.id',
  ),
  treeOf(
    forPostgres,
    'SELECT child.id FROM tree CROSS JOIN LATERAL (SELECT id FROM tokens WHERE parent_id = tree.id OFFSET 0) child',
  ),
];
const BY_ID = 'SELECT id FROM tokens WHERE id = ?';
const TREE = treesFrom([BY_ID, BY_ID]);
const TREES_OF_USER = treesFrom(
  forEachDatabase(`SELECT id FROM tokens${indexedBy('tokens_of_users')} WHERE tenant_id = ? AND made_by_user = ?`),
);
const inTree = (tree: ForEach, text: string): ForEach => tree.map((sql) => text.replace('TREE', `(${sql})`)) as ForEach;
const ofTree = (text: string): ForEach => inTree(TREE, text);
const LIST_OF_USER = new Statement<TokenEntity>(
  ...inTree(TREES_OF_USER, `SELECT ${ALL} FROM tokens WHERE id IN TREE ORDER BY created_at, id`),
);
const TENANTS_OF_USER = hinted<{ readonly tenantId: string }>(
  `SELECT DISTINCT tenant_id AS "tenantId" FROM tokens${indexedBy('tokens_of_users')} WHERE made_by_user = ?`,
);
const VALID_ROOTS_OF_USER = hinted<{ readonly id: string }>(
  `SELECT id FROM tokens${indexedBy('tokens_of_users')} WHERE tenant_id = ? AND made_by_user = ? AND revoked_at IS NULL`,
);
const LIST_TREE = new Statement<TokenEntity>(
  ...ofTree(`SELECT ${ALL} FROM tokens WHERE id IN TREE ORDER BY created_at, id`),
);
const VALID_OF_TREE = new Statement<EndedToken>(
  ...ofTree(
    'SELECT id, tenant_id AS "tenantId", description FROM tokens WHERE revoked_at IS NULL AND id IN TREE ORDER BY id',
  ),
);
const REVOKE_TREE = new Statement(
  ...ofTree('UPDATE tokens SET revoked_at = ? WHERE revoked_at IS NULL AND id IN TREE'),
);
const IN_ORDER = '(created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ?';
const PAGE = hinted<TokenEntity>(`SELECT ${ALL} FROM tokens${indexedBy('tokens_in_order')} WHERE ${IN_ORDER}`);
const PAGE_OF_TENANT = hinted<TokenEntity>(
  `SELECT ${ALL} FROM tokens${indexedBy('tokens_tenant')} WHERE tenant_id = ? AND ${IN_ORDER}`,
);
const NEXT_TENANT = `SELECT MIN(tenant_id) FROM tokens${indexedBy('tokens_tenant')} WHERE`;
/** Seeks each tenant in the index, however many tokens it has. */
const TENANTS = hinted<{ readonly tenantId: string }>(
  `WITH RECURSIVE t (id) AS (${NEXT_TENANT} tenant_id > ? AND tenant_id >= ?` +
    ` UNION ALL SELECT (${NEXT_TENANT} tenant_id > t.id) FROM t WHERE t.id IS NOT NULL)` +
    ' SELECT id AS "tenantId" FROM t WHERE id IS NOT NULL LIMIT ?',
);
const COUNT_MADE = hinted<{ readonly count: number }>(
  `SELECT COUNT(*) AS count FROM tokens${indexedBy('tokens_made')} WHERE tenant_id = ? AND parent_id IS NOT NULL`,
);
const COUNT_OF_USERS = hinted<{ readonly count: number }>(
  `SELECT COUNT(*) AS count FROM tokens${indexedBy('tokens_of_users')} WHERE tenant_id = ? AND made_by_user IS NOT NULL`,
);
/** No token outlives its parent, so none loses its parent first. */
const FORGET_ENDED = hinted(
  `DELETE FROM tokens${indexedBy('tokens_made')} WHERE tenant_id = ? AND parent_id IS NOT NULL` +
    ' AND (revoked_at < ? OR expires_at < ?)',
);
const FORGET_ENDED_OF_USERS = hinted(
  `DELETE FROM tokens${indexedBy('tokens_of_users')} WHERE tenant_id = ? AND made_by_user IS NOT NULL` +
    ' AND (revoked_at < ? OR expires_at < ?)',
);
const FIND = new Statement<TokenEntity>(`SELECT ${ALL} FROM tokens WHERE id = ?`);
const NOTE_USE = new Statement('UPDATE tokens SET last_used_at = ?, last_used_from = ? WHERE id = ?');

type ForEach = [forSqlite: string, forPostgres: string];
type EndedToken = Pick<TokenEntity, 'id' | 'tenantId' | 'description'>;

/** Zones that a token with labels reaches: each request of the token reads their names. */
export const MOST_LABELED = 1000;

interface LabeledZone extends LabelsColumn {
  readonly nameKey: string;
}

const labeledZones = (hasValue: string): Statement<LabeledZone> =>
  hinted<LabeledZone>(
    `SELECT zones.name_key AS "nameKey", zones.labels FROM zone_labels l${indexedBy(primaryKeyOf('zone_labels'))}` +
      `${lookedUp('zones', 'zones.id = l.zone_id')} WHERE l.tenant_id = ? AND l.key = ?${hasValue} LIMIT ${MOST_LABELED + 1}`,
  );
const WITH_KEY = labeledZones('');
const WITH_VALUE = labeledZones(' AND l.value = ?');

@Injectable()
export class TokenRepository {
  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly trail: AuditTrail,
  ) {}

  findByHash(hash: string): Promise<StoredToken | undefined> {
    return this.reads.lookUp(FIND_BY_HASH, [hash]);
  }

  /** Keys of the zones with all these labels; `null`: too many. */
  async labeledZones(tenantId: string, labels: readonly LabelFilter[]): Promise<string[] | null> {
    for (const { key, value } of labels) {
      const found = await this.reads.run((tx) =>
        value === null ? WITH_KEY.rows(tx, [tenantId, key]) : WITH_VALUE.rows(tx, [tenantId, key, value]),
      );
      if (found.length > MOST_LABELED) continue;
      return found.filter((zone) => hasLabels(labelsOf(zone), labels)).map(({ nameKey }) => nameKey);
    }
    return null;
  }

  /** Oldest first. @param tenantId `null`: all tenants @param after last token of the previous page */
  page(tenantId: string | null, after: TokenEntity | null, limit: number): Promise<TokenEntity[]> {
    const part = [after?.createdAt ?? -1, after?.id ?? '', limit];
    const [statement, values] = tenantId === null ? [PAGE, part] : [PAGE_OF_TENANT, [tenantId, ...part]];
    return this.reads.run((tx) => inKeyOrder(tx, () => statement.rows(tx, values)));
  }

  /** Tenants with tokens, by name. @param after last tenant of the previous page @param from lowest name */
  async tenants(after: string, from: string, limit: number): Promise<string[]> {
    const found = await this.reads.run((tx) => inKeyOrder(tx, () => TENANTS.rows(tx, [after, from, limit])));
    return found.map(({ tenantId }) => tenantId);
  }

  find(id: string): Promise<TokenEntity | undefined> {
    return this.reads.run((tx) => FIND.first(tx, [id]));
  }

  listFrom(id: string): Promise<TokenEntity[]> {
    return this.reads.run((tx) => LIST_TREE.rows(tx, [id]));
  }

  /** The tokens that a user created with external credentials, and all derived from them. */
  listOfUser(tenantId: string, user: string): Promise<TokenEntity[]> {
    return this.reads.run((tx) => LIST_OF_USER.rows(tx, [tenantId, user]));
  }

  insert(token: TokenEntity, caller: Caller): Promise<void> {
    return this.unitOfWork.run((tx) => this.insertIn(tx, token, caller));
  }

  /** Inserts `token` if the table is empty. Returns whether it did. */
  insertFirst(token: TokenEntity, caller: Caller): Promise<boolean> {
    return this.unitOfWork.run(async (tx) => {
      await lockAcrossProcesses(tx, 'first token');
      if (await entityManagerOf(tx).exists(TokenEntity)) return false;
      await this.insertIn(tx, token, caller);
      return true;
    });
  }

  /** Runs `work` while no other process derives or revokes a token. */
  whileHeld<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.unitOfWork.run(async (tx) => {
      await lockAcrossProcesses(tx, 'tokens');
      return work(tx);
    });
  }

  async insertIn(tx: Transaction, token: TokenEntity, caller: Caller): Promise<void> {
    await entityManagerOf(tx).insert(TokenEntity, token);
    await this.trail.record(tx, caller, [{ ...actOn('token.create', token), details: detailsOf(token) }]);
  }

  findValid(tx: Transaction, id: string, at: Instant): Promise<StoredToken | undefined> {
    return FIND_VALID.first(tx, [id, at]);
  }

  async countMade(tx: Transaction, tenantId: string): Promise<number> {
    const byTokens = (await COUNT_MADE.first(tx, [tenantId]))?.count ?? 0;
    return byTokens + ((await COUNT_OF_USERS.first(tx, [tenantId]))?.count ?? 0);
  }

  async forgetEnded(tx: Transaction, tenantId: string, before: Instant): Promise<void> {
    await FORGET_ENDED.run(tx, [tenantId, before, before]);
    await FORGET_ENDED_OF_USERS.run(tx, [tenantId, before, before]);
  }

  /** Revokes a token and all tokens derived from it. Returns false for an unknown or revoked token. */
  revoke(id: string, at: Instant, caller: Caller): Promise<boolean> {
    return this.whileHeld(async (tx) => {
      const token = await entityManagerOf(tx).findOneBy(TokenEntity, { id });
      if (token?.revokedAt !== null) return false;
      await this.endTree(tx, id, at, caller);
      return true;
    });
  }

  /** @param tenantId `null`: all tenants @returns the number of revoked tokens, without derived tokens */
  revokeOfUser(user: string, tenantId: string | null, at: Instant, caller: Caller): Promise<number> {
    return this.whileHeld(async (tx) => {
      const tenants = tenantId === null ? await TENANTS_OF_USER.rows(tx, [user]) : [{ tenantId }];
      let revoked = 0;
      for (const tenant of tenants) {
        for (const { id } of await VALID_ROOTS_OF_USER.rows(tx, [tenant.tenantId, user])) {
          await this.endTree(tx, id, at, caller);
          revoked += 1;
        }
      }
      return revoked;
    });
  }

  private async endTree(tx: Transaction, id: string, at: Instant, caller: Caller): Promise<void> {
    const ended = await VALID_OF_TREE.rows(tx, [id]);
    await REVOKE_TREE.run(tx, [at, id]);
    const acts = ended.map((one) => actOn('token.revoke', one));
    await this.trail.record(tx, caller, acts);
  }

  async recordUse(id: string, at: Instant, address: string): Promise<void> {
    await this.unitOfWork.run((tx) => NOTE_USE.run(tx, [at, address, id]));
  }
}

function actOn(action: 'token.create' | 'token.revoke', { id, tenantId, description }: EndedToken): AuditedAct {
  return { action, ownerId: tenantId, subject: { id, name: description } };
}

function detailsOf({
  roles,
  expiresAt,
  restrictions,
  parentId,
  madeByUser,
}: TokenEntity): Readonly<Record<string, unknown>> {
  return {
    roles: roles.split(','),
    expires_at: formatInstantOrNull(expiresAt),
    ...(restrictions === null ? {} : readRestrictions(restrictions)),
    parent_id: parentId,
    ...(madeByUser !== null && { made_by_user: madeByUser }),
  };
}
