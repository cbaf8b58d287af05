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
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/** Minimum time (behaviour 10.2). */
export const KEPT_FOR = DAY;
const REMOVED_AT_A_TIME = 500;

const COLUMNS =
  'a.tenant_id AS "tenantId", a.request_key AS "requestKey", a.fingerprint, a.status, a.content_type AS "contentType",' +
  ' a.body, a.location, a.octets, a.kept_at AS "keptAt"';
const OF_KEY = 'LEFT JOIN kept_answers a ON a.tenant_id = ? AND a.request_key = ?';
/** Claims the key until the transaction ends (PostgreSQL). On SQLite only one process serves requests. */
const FIND_AND_CLAIM = [
  `SELECT ? IS NOT NULL AS "isFree", ${COLUMNS} FROM (SELECT 1 AS one) o ${OF_KEY}`,
  `SELECT pg_try_advisory_xact_lock(hashtextextended(?, 0)) AS "isFree", ${COLUMNS} FROM (SELECT 1 AS one) o ${OF_KEY}`,
] as const;
const FIND = new Statement<Found>(...FIND_AND_CLAIM);
/** Runs with the other reads of a change. */
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

type Found = { readonly isFree: boolean | number } & (
  StoredResponseEntity | { readonly [Field in keyof StoredResponseEntity]: null }
);

export type RequestKey = Pick<StoredResponseEntity, 'tenantId' | 'requestKey'>;

interface KeyState {
  /** Whether no other process has claimed the key. */
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

  /** Reads committed state. */
  find(key: RequestKey): Promise<KeyState> {
    return this.reads.run(async (tx) => stateOf(await FIND.first(tx, valuesOf(key))));
  }

  /** Claims the key for this process until `tx` ends. */
  async claim(tx: Transaction, key: RequestKey): Promise<KeyState> {
    const [found] = await CLAIM.rows(tx, [], [valuesOf(key)]);
    return stateOf(found);
  }

  /** @throws an error that `isKept` recognizes, if the key has an answer */
  async insert(tx: Transaction, kept: Omit<StoredResponseEntity, 'keptAt'>): Promise<void> {
    const { tenantId, requestKey, fingerprint, status, contentType, body, location, octets } = kept;
    const now = this.clock.now();
    await INSERT.run(tx, [[tenantId, requestKey, fingerprint, status, contentType, body, location, octets, now]]);
  }

  /** Stores an answer, or returns the earlier answer of its key. */
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

  weigh(tenantId: string): Promise<{ readonly octets: number; readonly oldest: Instant | null }> {
    return this.reads.run(async (tx) => (await WEIGH.first(tx, [tenantId])) ?? { octets: 0, oldest: null });
  }

  /** Removes a batch of responses older than 24 hours. Returns whether more may remain. */
  removeSome(tx: Transaction): Promise<boolean> {
    return DELETE_OLD.run(tx, [this.clock.now() - KEPT_FOR], REMOVED_AT_A_TIME);
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

/** Whether a change failed because its key has an answer. */
export function isKept(error: unknown): boolean {
  return violatesUniqueKey(error, KEY);
}

const KEY_COLUMN = { length: 255, primaryKeyConstraintName: 'kept_answers_key', ...BYTEWISE } as const;

@Entity('kept_answers')
@Index('kept_answers_by_time', ['keptAt'])
@Index('kept_answers_of_tenant', ['tenantId', 'keptAt', 'octets'])
export class StoredResponseEntity {
  @PrimaryColumn('varchar', { name: 'tenant_id', ...KEY_COLUMN })
  tenantId!: string;

  @PrimaryColumn('varchar', { name: 'request_key', ...KEY_COLUMN })
  requestKey!: string;

  /** SHA-256 of the request, in hexadecimal. The same key with another request is refused. */
  @Column('varchar', { length: 64, ...BYTEWISE })
  fingerprint!: string;

  @Column('integer')
  status!: number;

  @Column('varchar', { name: 'content_type', length: 64 })
  contentType!: string;

  @Column('text')
  body!: string;

  @Column('text', { nullable: true })
  location!: string | null;

  /** Size that counts against the limit of the tenant. */
  @Column('integer', { default: 0 })
  octets!: number;

  @Column('bigint', { name: 'kept_at' })
  keptAt!: number;
}
