import { Injectable } from '@nestjs/common';
import { inPortions } from '../../background/in-portions.js';
import { Reads } from '../../database/reads.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { type GenerationOfZone, SignedSetRepository } from './signed-set.repository.js';
import { ZoneSigningRepository } from './zone-signing.repository.js';

/** So many sets go at a time. */
const AT_ONCE = 1000;
/** Behind every generation. */
const END = Number.MAX_SAFE_INTEGER;

/** Removes what was signed of zones that are gone, or not signed any more. */
@Injectable()
export class SignedSetsCleanup {
  constructor(
    private readonly sets: SignedSetRepository,
    private readonly signing: ZoneSigningRepository,
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async run(signal: AbortSignal): Promise<void> {
    for (let zoneId = await this.nextZone(''); zoneId !== null; zoneId = await this.nextZone(zoneId)) {
      if (signal.aborted) return;
      const of = { zoneId, generation: END };
      const row = await this.reads.run((tx) => this.signing.find(tx, of.zoneId));
      if (row === undefined) await this.removeAll(of, signal);
    }
  }

  private removeAll(of: GenerationOfZone, signal: AbortSignal): Promise<void> {
    return inPortions(this.unitOfWork, (tx) => this.sets.deleteFormer(tx, of, AT_ONCE))(signal);
  }

  private nextZone(after: string): Promise<string | null> {
    return this.reads.run((tx) => this.sets.nextZone(tx, after));
  }
}
