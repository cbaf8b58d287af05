import { Injectable } from '@nestjs/common';
import { FairLimiter } from '../../common/waiting/fair-limiter.js';
import { ServiceError } from '../../common/service-error.js';
import { BrokenChain } from '../../dns/dnssec/chain.js';
import { TokenFailure } from '../../dns/dnssec/key-token.js';
import { MissingSignature, UnverifiedSignature } from '../../dns/dnssec/rrsig.js';
import { FAILED_RUNS, type FailureReason } from '../dnssec-metrics.js';
import { DamagedKey, SealedShut } from '../keys/key-vault.js';
import { ZoneKeys } from '../keys/zone-keys.js';
import { SigningContext } from '../signing-context.js';
import type { ZoneSigningEntity } from '../state/zone-signing.entity.js';
import { SignedZonePublisher } from './signed-zone-publisher.js';
import { SigningClock, WrongClock } from './signing-clock.js';
import { type SignedBase, TaskReader } from './task-reader.js';
import { WholeZoneSigner, ZoneSignatures } from './zone-signatures.js';

/** Attempts of a job while the zone changes under it. Then the next job continues. */
const ATTEMPTS = 5;
/** Whole zones signed concurrently: each needs CPU time in proportion to its size. */
const WHOLE_ZONES = { inAll: 4, perKey: 2 };

interface Job {
  done: Promise<void>;
  next: Promise<void> | null;
}

/** A process runs one job for each zone. If several processes sign a zone, the first to write wins. */
@Injectable()
export class SigningJobs {
  private readonly running = new Map<string, Job>();
  private readonly wholeZones = new FairLimiter(WHOLE_ZONES);

  constructor(
    private readonly tasks: TaskReader,
    private readonly whole: WholeZoneSigner,
    private readonly signatures: ZoneSignatures,
    private readonly publisher: SignedZonePublisher,
    private readonly context: SigningContext,
    private readonly keys: ZoneKeys,
    private readonly clock: SigningClock,
  ) {}

  get isPossible(): boolean {
    return this.keys.canSign;
  }

  /** Resolves when the zone, as it is now, is signed or halted. */
  async run(zoneId: string, signal: AbortSignal): Promise<void> {
    const known = this.running.get(zoneId);
    // The running job may have read the zone already; one job behind it serves all callers.
    if (known !== undefined)
      return (known.next ??= known.done.catch(() => undefined).then(() => this.begin(zoneId, signal)));
    return this.begin(zoneId, signal);
  }

  private begin(zoneId: string, signal: AbortSignal): Promise<void> {
    const known = this.running.get(zoneId);
    if (known?.next === null) return known.done;
    const job: Job = { done: Promise.resolve(), next: null };
    job.done = this.sign(zoneId, signal).finally(() => {
      if (this.running.get(zoneId) === job) this.running.delete(zoneId);
    });
    this.running.set(zoneId, job);
    return job.done;
  }

  private async sign(zoneId: string, signal: AbortSignal): Promise<void> {
    /** Former and prepared generations, to delete unless published. */
    const generations = new Set<number>();
    try {
      let prepared: SignedBase | null = null;
      for (let attempt = 0; attempt < ATTEMPTS && !signal.aborted; attempt += 1) {
        await this.clock.compare();
        const found = await this.tasks.find(zoneId, prepared);
        if (found === 'unsigned') return;
        if ('current' in found) {
          await this.recordFolded(found.current);
          return;
        }
        if ('whole' in found) {
          const { whole, generation, tenantId } = found;
          generations.add(whole.generation).add(generation);
          const sign = (): Promise<SignedBase> => this.whole.sign(whole, generation, signal);
          prepared = await this.wholeZones.run(sign, tenantId);
          continue;
        }
        const of = { zoneId, generation: found.base.generation, name: found.zone.name };
        const rows = await this.signatures.rowsOf(of, found.toSign, found.keys);
        const former = found.base.isFresh ? await this.whole.generationsOf(zoneId) : [];
        if (!(await this.publisher.publish(found, rows))) continue;
        // Their jobs have ended, or start again: they read the zone before this publication.
        for (const generation of former) generations.add(generation);
        return;
      }
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'zone_not_found') await this.forget(zoneId);
      else if (isFault(error)) await this.context.halt(zoneId, error.message);
      else {
        if (!signal.aborted) FAILED_RUNS.of(reasonOf(error)).add();
        throw error;
      }
    } finally {
      await this.whole.discard(zoneId, generations, signal);
    }
  }

  /** Skips the check of `CaseFolding` from now on. */
  private async recordFolded(row: ZoneSigningEntity): Promise<void> {
    if (row.foldedStep === row.step) return;
    const { signing, unitOfWork } = this.context;
    await unitOfWork.run((tx) => signing.recordFolded(tx, row), { queue: 'signing' });
  }

  private forget(zoneId: string): Promise<void> {
    const { keys, unitOfWork } = this.context;
    return unitOfWork.run(
      async (tx) => {
        await keys.leaveBehind(tx, zoneId, this.clock.now());
        await this.context.forget(tx, zoneId);
      },
      { queue: 'cleanups' },
    );
  }
}

/** Errors of the zone data or the keys, which no retry fixes. */
function isFault(error: unknown): error is Error {
  return [UnverifiedSignature, MissingSignature, BrokenChain, DamagedKey].some((fault) => error instanceof fault);
}

function reasonOf(error: unknown): FailureReason {
  if (error instanceof WrongClock) return 'clock';
  return error instanceof SealedShut || error instanceof TokenFailure ? 'key' : 'other';
}
