import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { lockAcrossProcesses } from '../database/locks.js';
import { Reads } from '../database/reads.js';
import { Statement } from '../database/statement.js';
import { entityManagerOf } from '../database/transaction.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { TokenEntity } from './token.entity.js';

/** The columns that decide whether a token is valid. */
export interface StoredToken {
  readonly id: string;
  readonly hash: string;
  readonly tenantId: string;
  readonly roles: string;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
}

const FIND_BY_HASH = new Statement<StoredToken>(
  'SELECT id, hash, tenant_id AS "tenantId", roles, expires_at AS "expiresAt", revoked_at AS "revokedAt"' +
    ' FROM tokens WHERE hash = ?',
);

@Injectable()
export class TokenRepository {
  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  findByHash(hash: string): Promise<StoredToken | undefined> {
    return this.reads.run((tx) => FIND_BY_HASH.first(tx, [hash]));
  }

  list(): Promise<TokenEntity[]> {
    return this.reads.run((tx) => entityManagerOf(tx).find(TokenEntity, { order: { createdAt: 'ASC' } }));
  }

  async insert(token: TokenEntity): Promise<void> {
    await this.unitOfWork.run((tx) => entityManagerOf(tx).insert(TokenEntity, token));
  }

  /** Inserts `token` if there is none yet. Returns whether it did. */
  insertFirst(token: TokenEntity): Promise<boolean> {
    return this.unitOfWork.run(async (tx) => {
      await lockAcrossProcesses(tx, 'first token');
      if (await entityManagerOf(tx).exists(TokenEntity)) return false;
      await entityManagerOf(tx).insert(TokenEntity, token);
      return true;
    });
  }

  /** Revokes a token at the instant `at`. Returns whether there was one of this id that was not revoked. */
  revoke(id: string, at: number): Promise<boolean> {
    return this.unitOfWork.run(async (tx) => {
      const { affected } = await entityManagerOf(tx).update(
        TokenEntity,
        { id, revokedAt: IsNull() },
        { revokedAt: at },
      );
      return affected === 1;
    });
  }
}
