import { Injectable, Logger } from '@nestjs/common';
import { FairLimiter } from '../../common/waiting/fair-limiter.js';
import { ServiceError } from '../../common/service-error.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { BrokenChain } from '../../dns/dnssec/chain.js';
import { UnverifiedSignature } from '../../dns/dnssec/rrsig.js';
import { ZoneReader } from '../../publishing/transfers/zone-reader.js';
import { FAILED_RUNS, type FailureReason, HALTS } from '../dnssec-metrics.js';
import { ZoneRolloverRepository } from '../rollovers/zone-rollover.repository.js';
import { ZoneParentRepository } from '../parent/zone-parent.repository.js';
import { DamagedKey, KeyVault, SealedShut } from '../keys/key-vault.js';
import { ZoneKeyRepository } from '../keys/zone-key.repository.js';
import { newGeneration } from '../state/generation.js';
import { SignedSetsCleanup } from '../state/signed-sets-cleanup.js';
import type { ZoneSigningEntity } from '../state/zone-signing.entity.js';
import { ZoneSigningRepository } from '../state/zone-signing.repository.js';
import { SignedZonePublisher } from './signed-zone-publisher.js';
import { SigningClock, WrongClock } from './signing-clock.js';
import type { SignedBase, SigningTask } from './signing-task.js';
import { TaskReader } from './task-reader.js';
import { WholeZoneSigning } from './whole-zone-signing.js';
import { ZoneSignatures } from './zone-signatures.js';

/** How often a run begins again because the zone has changed, before it leaves the rest to the next one. */
const ATTEMPTS = 5;
/** Zones of which all is signed at a time: each has the processor for as long as it is large. */
const WHOLE_ZONES = { inAll: 4, perKey: 2 };

/**
 * Brings what is signed of a zone to what the zone is now: the first signatures, those of a change, and renewed ones come about
 * in the same way. One process runs for a zone at a time; of several processes the first to write wins.
 */
@Injectable()
export class SigningJobs {
  private readonly logger = new Logger('Zonewright');
  private readonly underWay = new Map<string, Run>();
  private readonly wholeZones = new FairLimiter(WHOLE_ZONES);

  constructor(
    private readonly reading: ZoneReader,
    private readonly tasks: TaskReader,
    private readonly whole: WholeZoneSigning,
    private readonly signatures: ZoneSignatures,
    private readonly publication: SignedZonePublisher,
    private readonly signing: ZoneSigningRepository,
    private readonly cleanup: SignedSetsCleanup,
    private readonly rollovers: ZoneRolloverRepository,
    private readonly keyRows: ZoneKeyRepository,
    private readonly parents: ZoneParentRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly vault: KeyVault,
    private readonly clock: SigningClock,
  ) {}

  /** Whether this process can sign. */
  get isPossible(): boolean {
    return this.vault.isOpen;
  }

  /** Resolves when the zone is signed as it was when this was called, or has been halted. */
  async run(zoneId: string, signal: AbortSignal): Promise<void> {
    const known = this.underWay.get(zoneId);
    // One that is under way may have read the zone before; one run behind it serves all who wait.
    if (known !== undefined)
      return (known.next ??= known.done.catch(() => undefined).then(() => this.begin(zoneId, signal)));
    return this.begin(zoneId, signal);
  }

  private begin(zoneId: string, signal: AbortSignal): Promise<void> {
    const known = this.underWay.get(zoneId);
    if (known?.next === null) return known.done;
    const run: Run = { done: Promise.resolve(), next: null };
    run.done = this.bring(zoneId, signal).finally(() => {
      if (this.underWay.get(zoneId) === run) this.underWay.delete(zoneId);
    });
    this.underWay.set(zoneId, run);
    return run.done;
  }

  private async bring(zoneId: string, signal: AbortSignal): Promise<void> {
    /** Those beside the one that is published by the end: what was before, and what was signed in vain. */
    const generations = new Set<number>();
    try {
      let prepared: SignedBase | null = null;
      for (let attempt = 0; attempt < ATTEMPTS && !signal.aborted; attempt += 1) {
        await this.clock.compare();
        const found = await this.find(zoneId, prepared);
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
        if (await this.publication.publish(found, rows)) return;
      }
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'zone_not_found') await this.forget(zoneId);
      else if (isFault(error)) await this.halt(zoneId, error.message);
      else {
        if (!signal.aborted) FAILED_RUNS.of(reasonOf(error)).add();
        throw error;
      }
    } finally {
      await this.removeLeft(zoneId, generations, signal);
    }
  }

  /** What stays for all that goes when it is a day old. */
  private async removeLeft(zoneId: string, generations: ReadonlySet<number>, signal: AbortSignal): Promise<void> {
    for (const generation of generations)
      await this.cleanup.remove({ zoneId, generation }, signal).catch(() => undefined);
  }

  /** @param prepared a base that is not published yet */
  private find(
    zoneId: string,
    prepared: SignedBase | null,
  ): Promise<SigningTask | CurrentZone | WholeZone | 'unsigned'> {
    return this.reading.run(zoneId, async (tx, zone) => {
      const row = await this.signing.find(tx, zoneId);
      if (row?.haltedBecause !== null) return 'unsigned';
      const now = this.clock.after(row.runAt);
      const base = prepared !== null && isOf(prepared, row) ? prepared : baseOf(row);
      const whole = { whole: row, generation: newGeneration(row.generation, now), tenantId: zone.tenantId };
      if (base === null) return whole;
      const task = await this.tasks.read(tx, zone, base, now);
      if (task === 'current') return { current: row };
      return task === 'whole' ? whole : task;
    });
  }

  /** What another release has signed, and is as this one would have done it, is not looked at again. */
  private async recordFolded(row: ZoneSigningEntity): Promise<void> {
    if (row.foldedStep === row.step) return;
    await this.unitOfWork.run((tx) => this.signing.recordFolded(tx, row), { queue: 'signing' });
  }

  /** What was published stays so, and nothing is signed until somebody has looked. */
  async halt(zoneId: string, reason: string): Promise<void> {
    HALTS.of().add();
    this.logger.error(`The zone ${zoneId} is not signed any more: ${reason}. What was published before stays.`);
    await this.unitOfWork.run(
      async (tx) => {
        const row = await this.signing.lock(tx, zoneId);
        if (row === undefined) return;
        await this.signing.update(tx, { ...row, haltedBecause: reason.slice(0, 255), nextDueAt: null });
      },
      { zoneId },
    );
  }

  /** The zone is gone; its keys stay, as a DS may refer to them. */
  private forget(zoneId: string): Promise<void> {
    const forget = async (tx: Transaction): Promise<void> => {
      await this.keyRows.leaveBehind(tx, zoneId);
      await this.signing.delete(tx, zoneId);
      await this.rollovers.delete(tx, zoneId);
      await this.parents.leave(tx, zoneId);
    };
    return this.unitOfWork.run(forget, { queue: 'cleanups' });
  }
}

/** What will not be right by itself: it is in the zone or in its keys. */
function isFault(error: unknown): error is Error {
  return error instanceof UnverifiedSignature || error instanceof BrokenChain || error instanceof DamagedKey;
}

function reasonOf(error: unknown): FailureReason {
  if (error instanceof WrongClock) return 'clock';
  return error instanceof SealedShut ? 'key' : 'other';
}

/** There is nothing to do. */
interface CurrentZone {
  readonly current: ZoneSigningEntity;
}

/** Of a tenant, to be signed as a whole. */
interface WholeZone {
  readonly whole: ZoneSigningEntity;
  readonly generation: number;
  readonly tenantId: string;
}

interface Run {
  done: Promise<void>;
  next: Promise<void> | null;
}

/** Whether nothing has been published since, and the keys are the same. */
function isOf({ row }: SignedBase, { step, keysVersion }: ZoneSigningEntity): boolean {
  return row.step === step && row.keysVersion === keysVersion;
}

/** `null` before the first signatures. */
function baseOf(row: ZoneSigningEntity): SignedBase | null {
  const { generation, signedVersion } = row;
  return signedVersion === null ? null : { row, generation, version: signedVersion, isFresh: false };
}
