import { Injectable, Logger } from '@nestjs/common';
import { ServiceError } from '../common/service-error.js';
import { Reads } from '../database/reads.js';
import type { Transaction } from '../database/transaction.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import { HALTS } from './dnssec-metrics.js';
import { KeyResponses } from './keys/key-responses.js';
import { ZoneKeyRepository } from './keys/zone-key.repository.js';
import { ZoneParentRepository } from './parent/zone-parent.repository.js';
import { ZoneRolloverRepository } from './rollovers/zone-rollover.repository.js';
import { SignedSetRepository } from './state/signed-set.repository.js';
import type { ZoneSigningEntity } from './state/zone-signing.entity.js';
import { ZoneSigningRepository } from './state/zone-signing.repository.js';

/** The longest reason that `zone_signing` stores, in characters. */
const MAX_REASON = 255;

/** A signed zone and its locked row, in the transaction that changes them. */
export interface LockedZone {
  readonly tx: Transaction;
  readonly zone: Readonly<ZoneEntity>;
  readonly row: ZoneSigningEntity;
}

/** The stored state of signed zones. Writers lock the `zone_signing` row of the zone first. */
@Injectable()
export class SigningContext {
  private readonly logger = new Logger('Zonewright');

  constructor(
    readonly signing: ZoneSigningRepository,
    readonly sets: SignedSetRepository,
    readonly keys: ZoneKeyRepository,
    readonly responses: KeyResponses,
    readonly rollovers: ZoneRolloverRepository,
    readonly parents: ZoneParentRepository,
    readonly reads: Reads,
    readonly unitOfWork: UnitOfWork,
  ) {}

  read<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.reads.run(work);
  }

  /** Runs `work` with the locked row of the zone, `undefined` for an unsigned zone. */
  update<T>(zoneId: string, work: (tx: Transaction, row: ZoneSigningEntity | undefined) => Promise<T>): Promise<T> {
    return this.unitOfWork.run(async (tx) => work(tx, await this.signing.lock(tx, zoneId)), { zoneId });
  }

  /** Stops signing the zone until an operator acts. The published data stays. */
  async halt(zoneId: string, reason: string): Promise<void> {
    HALTS.of().add();
    this.logger.error(
      `Zone ${zoneId}: signing halted: ${reason}. The published data stays; run zonewright dnssec resign.`,
    );
    await this.update(zoneId, async (tx, row) => {
      if (row === undefined) return;
      await this.signing.update(tx, { ...row, haltedBecause: reason.slice(0, MAX_REASON), nextDueAt: null });
    });
  }

  /** Deletes the signing state of a zone. Its keys stay, because a DS may refer to them. */
  async forget(tx: Transaction, zoneId: string): Promise<void> {
    await this.signing.delete(tx, zoneId);
    await this.rollovers.delete(tx, zoneId);
    await this.responses.forget(tx, zoneId);
    await this.parents.leave(tx, zoneId);
  }

  /** Without a response of the offline KSK, nothing can be signed. */
  async hasFirstResponse(tx: Transaction, row: ZoneSigningEntity): Promise<boolean> {
    return row.keyTtl === null || this.responses.cover(tx, row, await this.keys.ofZone(tx, row.zoneId));
  }

  async assertNoRollover(tx: Transaction, { id, name }: Readonly<ZoneEntity>): Promise<void> {
    if ((await this.rollovers.find(tx, id)) === null) return;
    throw new ServiceError(
      'signing_conflict',
      `A rollover of ${name} is in progress: let it finish, or cancel it first.`,
    );
  }
}
