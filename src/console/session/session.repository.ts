import { Injectable } from '@nestjs/common';
import type { Instant } from '../../common/clock.js';
import { PortionedDelete } from '../../database/statements/portioned-delete.js';
import { Reads } from '../../database/reads.js';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { SessionEntity } from './session.entity.js';

/** For one holder; a further session ends the oldest. */
const MOST_SESSIONS = 50;
const REMOVED_AT_A_TIME = 500;

const FIND = new Statement<SessionEntity>(
  'SELECT digest, holder, credential, created_at AS "createdAt", ends_at AS "endsAt", latest_end AS "latestEnd"' +
    ' FROM sessions WHERE digest = ?',
);
const INSERT = new Statement(
  'INSERT INTO sessions (digest, holder, credential, created_at, ends_at, latest_end) VALUES (?, ?, ?, ?, ?, ?)',
);
const FIND_OLDEST = new Statement<Pick<SessionEntity, 'digest'>>(
  'SELECT digest FROM sessions WHERE holder = ? ORDER BY created_at DESC, digest LIMIT ? OFFSET ?',
);
const EXTEND = new Statement('UPDATE sessions SET ends_at = ? WHERE digest = ?');
const REPLACE = new Statement('UPDATE sessions SET credential = ? WHERE digest = ?');
const DELETE = new Statement('DELETE FROM sessions WHERE digest = ?');
const DELETE_ENDED = new PortionedDelete({
  table: 'sessions',
  key: ['digest'],
  where: 'ends_at <= ?',
  index: 'sessions_by_end',
  orderBy: 'ends_at',
});

@Injectable()
export class SessionRepository {
  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  find(digest: string): Promise<SessionEntity | undefined> {
    return this.reads.run((tx) => FIND.first(tx, [digest]));
  }

  /** @param replaced digest of the session to replace; `''`: none */
  insert(session: SessionEntity, replaced: string): Promise<void> {
    const { digest, holder, credential, createdAt, endsAt, latestEnd } = session;
    return this.unitOfWork.run(async (tx) => {
      await DELETE.run(tx, [replaced]);
      await INSERT.run(tx, [digest, holder, credential, createdAt, endsAt, latestEnd]);
      const surplus = await FIND_OLDEST.rows(tx, [holder, REMOVED_AT_A_TIME, MOST_SESSIONS]);
      for (const { digest: oldest } of surplus) await DELETE.run(tx, [oldest]);
    });
  }

  extend(digest: string, endsAt: Instant): Promise<void> {
    return this.unitOfWork.run((tx) => EXTEND.run(tx, [endsAt, digest]));
  }

  /** @param credential sealed */
  replace(digest: string, credential: string): Promise<void> {
    return this.unitOfWork.run((tx) => REPLACE.run(tx, [credential, digest]));
  }

  delete(digest: string): Promise<void> {
    return this.unitOfWork.run((tx) => DELETE.run(tx, [digest]));
  }

  /** Returns whether more may remain. */
  removeSome(tx: Transaction, now: Instant): Promise<boolean> {
    return DELETE_ENDED.run(tx, [now], REMOVED_AT_A_TIME);
  }
}
