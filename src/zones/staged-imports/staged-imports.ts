import { Injectable } from '@nestjs/common';
import { forgetOwnerId, newOwnerId } from '../../background/heartbeat.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { StaleSnapshotError } from '../staged-contents.js';
import { StagedImportRepository } from './staged-import.repository.js';
import { StagedImportsCleanup } from './staged-imports-cleanup.js';

/** A zone whose contents come before it. */
export interface StagedImport {
  /** Does a part of the writing, in a transaction of its own on `on`. */
  write<T>(on: Transaction, part: () => Promise<T>): Promise<T>;
  /** Belongs into the transaction that makes the zone: from its commit on, what was written is seen. */
  arrive(tx: Transaction): Promise<void>;
}

/** Writes the contents of large zones before the zones, so that none of the changes takes long. */
@Injectable()
export class StagedImports {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly zones: StagedImportRepository,
    private readonly cleanup: StagedImportsCleanup,
  ) {}

  /**
   * Runs `bring`, which makes a zone of that id; where it fails, nothing stays.
   * @throws Outdated where somebody has taken the holder for dead, and what `bring` throws
   */
  async withStagedImport<T>(zoneId: string, bring: (incoming: StagedImport) => Promise<T>): Promise<T> {
    const holder = newOwnerId();
    try {
      await this.unitOfWork.run((tx) => this.zones.announce(tx, zoneId, holder));
      return await bring(this.incoming(zoneId, holder));
    } catch (error) {
      await this.cleanup.giveUp(zoneId);
      throw error;
    } finally {
      forgetOwnerId(holder);
    }
  }

  private incoming(zoneId: string, holder: string): StagedImport {
    const held = async (isHeld: Promise<boolean>): Promise<void> => {
      if (!(await isHeld)) throw new StaleSnapshotError();
    };
    return {
      write: (on, part) =>
        this.unitOfWork.run(
          async (tx) => {
            await held(this.zones.renew(tx, zoneId, holder));
            return part();
          },
          { isLong: true, on },
        ),
      arrive: (tx) => held(this.zones.arrive(tx, zoneId, holder)),
    };
  }
}
