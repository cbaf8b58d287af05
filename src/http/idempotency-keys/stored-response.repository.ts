import { Injectable } from '@nestjs/common';
import { Clock, DAY, type Instant } from '../../common/clock.js';
import { bulkInsert } from '../../database/statements/bulk-write.js';
import { type UniqueKey, violatesUniqueKey } from '../../database/database-failure.js';
import { Lookup } from '../../database/statements/lookup.js';
import { PortionedDelete } from '../../database/statements/portioned-delete.js';
import { Reads } from '../../database/reads.js';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { StoredResponseEntity } from './stored-response.entity.js';

/** How long an answer is kept at least (behaviour 10.2). */
export const KEPT_FOR = DAY;
const REMOVED_AT_A_TIME = 500;

const COLUMNS =
  'a.tenant_id AS "tenantId", a.request_key AS "requestKey", a.fingerprint, a.status, a.content_type AS "contentType",' +
  ' a.body, a.location, a.octets, a.kept_at AS "keptAt"';
const OF_KEY = 'LEFT JOIN kept_answers a ON a.tenant_id = ? AND a.request_key = ?';
/**
 * On PostgreSQL it claims the key until the end of the transaction, unless another process has: one that has claimed it is
 * about to write. On SQLite one process alone serves requests.
 */
const FIND_AND_CLAIM = [
  `SELECT ? IS NOT NULL AS "isFree", ${COLUMNS} FROM (SELECT 1 AS one) o ${OF_KEY}`,
  `SELECT pg_try_advisory_xact_lock(hashtextextended(?, 0)) AS "isFree", ${COLUMNS} FROM (SELECT 1 AS one) o ${OF_KEY}`,
] as const;
const FIND = new Statement<Found>(...FIND_AND_CLAIM);
/** Goes along with what else a change reads. */
const CLAIM = new Lookup<Found>(FIND_AND_CLAIM[0], ['text', 'text', 'text'], FIND_AND_CLAIM[1]);
const INSERT = bulkInsert('kept_answers', {
  tenant_id: 'text',
  request_key: 'text',
  fingerprint: 'text',
  status: 'integer',
  content_type: 'text',
  body: 'text',
  location: 'text',
  octets: 'integer',
  kept_at: 'bigint',
});
const WEIGH = new Statement<{ readonly octets: number; readonly oldest: Instant | null }>(
  'SELECT COALESCE(SUM(octets), 0) AS octets, MIN(kept_at) AS oldest FROM kept_answers WHERE tenant_id = ?',
);
const DELETE_OLD = new PortionedDelete({
  table: 'kept_answers',
  key: ['tenant_id', 'request_key'],
  where: 'kept_at <= ?',
  index: 'kept_answers_by_time',
  orderBy: 'kept_at',
});
const KEY: UniqueKey = { name: 'kept_answers_key', table: 'kept_answers', columns: ['tenant_id', 'request_key'] };

/** A left join's row: without a kept answer its fields are null. */
type Found = { readonly isFree: boolean | number } & (
  StoredResponseEntity | { readonly [Field in keyof StoredResponseEntity]: null }
);

/** A key of a tenant. */
export type RequestKey = Pick<StoredResponseEntity, 'tenantId' | 'requestKey'>;

interface KeyState {
  /** No other process is about to answer a request with this key. */
  readonly isFree: boolean;
  readonly kept: StoredResponseEntity | null;
}

@Injectable()
export class StoredResponseRepository {
  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** What is committed. */
  find(key: RequestKey): Promise<KeyState> {
    return this.reads.run(async (tx) => stateOf(await FIND.first(tx, valuesOf(key))));
  }

  /** The same as `tx` sees it; until its end the key is no other process's. */
  async claim(tx: Transaction, key: RequestKey): Promise<KeyState> {
    const [found] = await CLAIM.rows(tx, [], [valuesOf(key)]);
    return stateOf(found);
  }

  /**
   * Keeps an answer in the transaction of what it answers.
   * @throws what `isKept` recognizes, when the key has an answer already
   */
  async insert(tx: Transaction, kept: Omit<StoredResponseEntity, 'keptAt'>): Promise<void> {
    const { tenantId, requestKey, fingerprint, status, contentType, body, location, octets } = kept;
    const now = this.clock.now();
    await INSERT.run(tx, [[tenantId, requestKey, fingerprint, status, contentType, body, location, octets, now]]);
  }

  /** Keeps an answer by itself, unless the key has one: then that is returned. */
  async keep(kept: Omit<StoredResponseEntity, 'keptAt'>): Promise<StoredResponseEntity | null> {
    try {
      return await this.unitOfWork.run(async (tx) => {
        const { kept: earlier } = await this.claim(tx, kept);
        if (earlier === null) await this.insert(tx, kept);
        return earlier;
      });
    } catch (error) {
      if (!isKept(error)) throw error;
      return (await this.find(kept)).kept;
    }
  }

  /** What all answers of a tenant weigh, and when the first of them was kept. */
  weigh(tenantId: string): Promise<{ readonly octets: number; readonly oldest: Instant | null }> {
    return this.reads.run(async (tx) => (await WEIGH.first(tx, [tenantId])) ?? { octets: 0, oldest: null });
  }

  /** Removes some of those that are too old. Returns whether there may be more. */
  removeSome(): Promise<boolean> {
    return this.unitOfWork.run((tx) => DELETE_OLD.run(tx, [this.clock.now() - KEPT_FOR], REMOVED_AT_A_TIME));
  }
}

function valuesOf({ tenantId, requestKey }: RequestKey): string[] {
  return [`${tenantId} ${requestKey}`, tenantId, requestKey];
}

function stateOf(found: Found | undefined): KeyState {
  if (found === undefined) return { isFree: true, kept: null };
  const { isFree, ...kept } = found;
  return { isFree: Boolean(isFree), kept: kept.keptAt === null ? null : kept };
}

/** Whether a change was refused because its key has an answer already. */
export function isKept(error: unknown): boolean {
  return violatesUniqueKey(error, KEY);
}
