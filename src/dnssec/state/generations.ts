import { Injectable } from '@nestjs/common';
import { inBatches } from '../../background/background-task.js';
import { Clock, DAY, type Instant } from '../../common/clock.js';
import { SigningContext } from '../signing-context.js';
import type { GenerationOfZone } from './signed-set.repository.js';

const MINUTE: Instant = 60_000_000;
/** Distinct generations in a minute. With the minutes since 1970 in front, a generation stays below 2^53. */
const PER_MINUTE = 2 ** 27;
const MAX_JOB_DURATION = DAY;
const DELETE_BATCH = 1000;

/** Later than the published one, and distinct from concurrent jobs. Encodes the minute in which the job began. */
export function newGeneration(published: number, now: Instant): number {
  const generation = Math.floor(now / MINUTE) * PER_MINUTE + Math.floor(Math.random() * PER_MINUTE);
  // The published one may be of this minute, or of a clock that was ahead.
  return generation > published ? generation : published + 1 + Math.floor(Math.random() * PER_MINUTE);
}

/** Whether the job that writes the generation has ended. */
export function isJobOver(generation: number, now: Instant): boolean {
  return Math.floor(generation / PER_MINUTE) * MINUTE < now - MAX_JOB_DURATION;
}

/** Deletes signed sets that are not published: of deleted and unsigned zones, and of failed jobs. */
@Injectable()
export class SignedSetsCleanup {
  constructor(
    private readonly context: SigningContext,
    private readonly clock: Clock,
  ) {}

  /** Deletes the rows of other processes. */
  async run(signal: AbortSignal): Promise<void> {
    for (let of = await this.next(null); of !== null && !signal.aborted; of = await this.next(of))
      if (!(await this.isPublished(of)) && (await this.giveUp(of))) await this.remove(of, signal);
  }

  /** Deletes a former generation, or one whose job has ended. A published generation stays. */
  remove(of: GenerationOfZone, signal: AbortSignal): Promise<void> {
    const { signing, sets, unitOfWork } = this.context;
    return inBatches(unitOfWork, async (tx) => {
      // The lock waits for a publication whose commit is in doubt.
      const row = await signing.lock(tx, of.zoneId);
      return row?.generation !== of.generation && sets.deleteSome(tx, of, DELETE_BATCH);
    })(signal);
  }

  private isPublished({ zoneId, generation }: GenerationOfZone): Promise<boolean> {
    return this.context.read(async (tx) => (await this.context.signing.find(tx, zoneId))?.generation === generation);
  }

  /** Makes sure that no job publishes the generation: a job that slept for a day starts again. */
  private giveUp(of: GenerationOfZone): Promise<boolean> {
    return this.context.update(of.zoneId, async (tx, row) => {
      if (row === undefined) return true;
      if (row.generation === of.generation || !isJobOver(of.generation, this.clock.now())) return false;
      await this.context.signing.update(tx, { ...row, keysVersion: row.keysVersion + 1 });
      return true;
    });
  }

  private next(after: GenerationOfZone | null): Promise<GenerationOfZone | null> {
    return this.context.read((tx) => this.context.sets.nextGeneration(tx, after));
  }
}
