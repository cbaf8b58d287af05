import { Injectable } from '@nestjs/common';
import { inBatches } from '../../background/in-batches.js';
import { Clock } from '../../common/clock.js';
import { Reads } from '../../database/reads.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { type GenerationOfZone, isRunOver } from './generation.js';
import { SignedSetRepository } from './signed-set.repository.js';
import { ZoneSigningRepository } from './zone-signing.repository.js';

/** So many sets go at a time. */
const AT_ONCE = 1000;

/** Removes what was signed and is not published: of zones that are gone or not signed any more, and of runs that came to nothing. */
@Injectable()
export class SignedSetsCleanup {
  constructor(
    private readonly sets: SignedSetRepository,
    private readonly signing: ZoneSigningRepository,
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** What others have left. */
  async run(signal: AbortSignal): Promise<void> {
    for (let of = await this.next(null); of !== null && !signal.aborted; of = await this.next(of))
      if (!(await this.isPublished(of)) && (await this.giveUp(of))) await this.remove(of, signal);
  }

  /** Of a run that is over, or what was published before. What is published stays. */
  remove(of: GenerationOfZone, signal: AbortSignal): Promise<void> {
    return inBatches(this.unitOfWork, async (tx) => {
      // A publication of which nobody knows how it has ended is waited for.
      const row = await this.signing.lock(tx, of.zoneId);
      return row?.generation !== of.generation && this.sets.deleteSome(tx, of, AT_ONCE);
    })(signal);
  }

  private isPublished({ zoneId, generation }: GenerationOfZone): Promise<boolean> {
    return this.reads.run(async (tx) => (await this.signing.find(tx, zoneId))?.generation === generation);
  }

  /** Whether nobody will publish it. A run that has slept for a day begins again, and does not miss what is removed. */
  private giveUp(of: GenerationOfZone): Promise<boolean> {
    const giveUp = async (tx: Transaction): Promise<boolean> => {
      const row = await this.signing.lock(tx, of.zoneId);
      if (row === undefined) return true;
      if (row.generation === of.generation || !isRunOver(of.generation, this.clock.now())) return false;
      await this.signing.update(tx, { ...row, keysVersion: row.keysVersion + 1 });
      return true;
    };
    return this.unitOfWork.run(giveUp, { zoneId: of.zoneId });
  }

  private next(after: GenerationOfZone | null): Promise<GenerationOfZone | null> {
    return this.reads.run((tx) => this.sets.nextGeneration(tx, after));
  }
}
