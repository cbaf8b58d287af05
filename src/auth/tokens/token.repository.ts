import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { formatInstant, type Instant } from '../../common/clock.js';
import { type AuditedAct, AuditTrail } from '../../database/audit/audit-trail.js';
import { lockAcrossProcesses } from '../../database/locks.js';
import { Reads } from '../../database/reads.js';
import { Statement } from '../../database/statements/statement.js';
import { entityManagerOf, type Transaction } from '../../database/transaction.js';
import { hinted, indexedBy, inKeyOrder } from '../../database/statements/walk.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { readRestrictions } from '../narrow/narrowing.js';
import { TokenEntity } from './token.entity.js';

/** The columns that decide what a token is good for. */
export type StoredToken = Pick<
  TokenEntity,
  'id' | 'hash' | 'tenantId' | 'roles' | 'expiresAt' | 'revokedAt' | 'restrictions' | 'lastUsedAt' | 'lastUsedFrom'
>;

const DECIDING =
  'id, hash, tenant_id AS "tenantId", roles, expires_at AS "expiresAt", revoked_at AS "revokedAt", restrictions,' +
  ' last_used_at AS "lastUsedAt", last_used_from AS "lastUsedFrom"';
const ALL = `${DECIDING}, description, created_at AS "createdAt", parent_id AS "parentId"` as const;
const FIND_BY_HASH = new Statement<StoredToken>(`SELECT ${DECIDING} FROM tokens WHERE hash = ?`);
const FIND_VALID = new Statement<StoredToken>(
  `SELECT ${DECIDING} FROM tokens WHERE id = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)`,
);
/** A token, those that it has made, and what those have made; each is looked up by its index, whatever else there is. */
const treeBy = (children: string): string =>
  `WITH RECURSIVE tree (id) AS (SELECT id FROM tokens WHERE id = ? UNION ALL ${children}) SELECT id FROM tree`;
const TREE: ForEach = [
  treeBy('SELECT child.id FROM tree CROSS JOIN tokens child INDEXED BY tokens_parent ON child.parent_id = tree.id'),
  treeBy(
    'SELECT child.id FROM tree CROSS JOIN LATERAL (SELECT id FROM tokens WHERE parent_id = tree.id OFFSET 0) child',
  ),
];
const ofTree = (text: string): ForEach => TREE.map((tree) => text.replace('TREE', `(${tree})`)) as ForEach;
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
const COUNT_MADE = hinted<{ readonly count: number }>(
  `SELECT COUNT(*) AS count FROM tokens${indexedBy('tokens_made')} WHERE tenant_id = ? AND parent_id IS NOT NULL`,
);
/** None lives longer than the one that has made it, so that none loses that one before. */
const FORGET_ENDED = hinted(
  `DELETE FROM tokens${indexedBy('tokens_made')} WHERE tenant_id = ? AND parent_id IS NOT NULL` +
    ' AND (revoked_at < ? OR expires_at < ?)',
);
const FIND = new Statement<TokenEntity>(`SELECT ${ALL} FROM tokens WHERE id = ?`);
const NOTE_USE = new Statement('UPDATE tokens SET last_used_at = ?, last_used_from = ? WHERE id = ?');

type ForEach = [forSqlite: string, forPostgres: string];
type EndedToken = Pick<TokenEntity, 'id' | 'tenantId' | 'description'>;

@Injectable()
export class TokenRepository {
  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly trail: AuditTrail,
  ) {}

  findByHash(hash: string): Promise<StoredToken | undefined> {
    return this.reads.run((tx) => FIND_BY_HASH.first(tx, [hash]));
  }

  /**
   * Tokens in the order of their creation.
   * @param tenantId `null`: of all tenants
   * @param after the one that is before the page; `null`: none is
   */
  page(tenantId: string | null, after: TokenEntity | null, limit: number): Promise<TokenEntity[]> {
    const part = [after?.createdAt ?? -1, after?.id ?? '', limit];
    const [statement, values] = tenantId === null ? [PAGE, part] : [PAGE_OF_TENANT, [tenantId, ...part]];
    return this.reads.run((tx) => inKeyOrder(tx, () => statement.rows(tx, values)));
  }

  find(id: string): Promise<TokenEntity | undefined> {
    return this.reads.run((tx) => FIND.first(tx, [id]));
  }

  /** The token itself, and all that come from it. */
  listFrom(id: string): Promise<TokenEntity[]> {
    return this.reads.run((tx) => LIST_TREE.rows(tx, [id]));
  }

  insert(token: TokenEntity, caller: Caller): Promise<void> {
    return this.unitOfWork.run((tx) => this.insertIn(tx, token, caller));
  }

  /** Inserts `token` if there is none yet. Returns whether it did. */
  insertFirst(token: TokenEntity, caller: Caller): Promise<boolean> {
    return this.unitOfWork.run(async (tx) => {
      await lockAcrossProcesses(tx, 'first token');
      if (await entityManagerOf(tx).exists(TokenEntity)) return false;
      await this.insertIn(tx, token, caller);
      return true;
    });
  }

  /** Does something while no token is made from another one or revoked. */
  whileHeld<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.unitOfWork.run(async (tx) => {
      await lockAcrossProcesses(tx, 'tokens');
      return work(tx);
    });
  }

  async insertIn(tx: Transaction, token: TokenEntity, caller: Caller): Promise<void> {
    await entityManagerOf(tx).insert(TokenEntity, token);
    await this.trail.note(tx, caller, [{ ...actOn('token.create', token), details: detailsOf(token) }]);
  }

  /** The token of that id, if it is valid at the instant `at`. */
  findValid(tx: Transaction, id: string, at: Instant): Promise<StoredToken | undefined> {
    return FIND_VALID.first(tx, [id, at]);
  }

  /** How many the tokens of the tenant have made. */
  async countMade(tx: Transaction, tenantId: string): Promise<number> {
    return (await COUNT_MADE.first(tx, [tenantId]))?.count ?? 0;
  }

  /** Forgets what other tokens have made and what ended before that instant. */
  forgetEnded(tx: Transaction, tenantId: string, before: Instant): Promise<void> {
    return FORGET_ENDED.run(tx, [tenantId, before, before]);
  }

  /**
   * Revokes a token at the instant `at`, and all that come from it. Returns whether there was one of this id that was not
   * revoked.
   */
  revoke(id: string, at: Instant, caller: Caller): Promise<boolean> {
    return this.whileHeld(async (tx) => {
      const token = await entityManagerOf(tx).findOneBy(TokenEntity, { id });
      if (token?.revokedAt !== null) return false;
      const ended = await VALID_OF_TREE.rows(tx, [id]);
      await REVOKE_TREE.run(tx, [at, id]);
      const acts = ended.map((one) => actOn('token.revoke', one));
      await this.trail.note(tx, caller, acts);
      return true;
    });
  }

  async noteUse(id: string, at: Instant, address: string): Promise<void> {
    await this.unitOfWork.run((tx) => NOTE_USE.run(tx, [at, address, id]));
  }
}

function actOn(action: 'token.create' | 'token.revoke', { id, tenantId, description }: EndedToken): AuditedAct {
  return { action, ownerId: tenantId, subject: { id, name: description } };
}

/** What the token is good for, by the names that version 1 has for it. */
function detailsOf({ roles, expiresAt, restrictions, parentId }: TokenEntity): Readonly<Record<string, unknown>> {
  return {
    roles: roles.split(','),
    expires_at: expiresAt === null ? null : formatInstant(expiresAt),
    ...(restrictions === null ? {} : readRestrictions(restrictions)),
    parent_id: parentId,
  };
}
