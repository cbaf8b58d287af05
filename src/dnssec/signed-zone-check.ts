import { Injectable, Logger } from '@nestjs/common';
import { Clock, toUnixSeconds, DAY } from '../common/clock.js';
import { nextTurn } from '../common/waiting/event-loop-turns.js';
import type { Transaction } from '../database/transaction.js';
import { PublishedKey } from '../dns/dnssec/dnskey.js';
import type { WireSet } from '../dns/dnssec/wire-set.js';
import { describeFault, faultsOfZone, type PublishedSet } from '../dns/dnssec/zone-check.js';
import { SealedShut } from './keys/key-vault.js';
import type { ZoneKeyEntity } from './keys/zone-key.entity.js';
import { dnskeyOf, ZoneKeys } from './keys/zone-keys.js';
import { ZoneInOrder } from './signing/zone-in-order.js';
import { SigningContext } from './signing-context.js';
import { isMade, readSignedSet } from './state/signed-set-form.js';
import type { ZoneSigningEntity } from './state/zone-signing.entity.js';
import { ServiceError } from '../common/service-error.js';
import { FAULTS } from './dnssec-metrics.js';

const MAX_FAULTS = 100;
const BATCH = 10;

/** Verifies published signed zones: signatures, chain and generated sets. */
@Injectable()
export class SignedZoneCheck {
  constructor(
    private readonly zones: ZoneInOrder,
    private readonly keys: ZoneKeys,
    private readonly context: SigningContext,
    private readonly clock: Clock,
  ) {}

  /** Faults as text; empty for an unsigned zone. `readsKeys` also checks that this process can decrypt the keys. */
  async faultsOf(zoneId: string, readsKeys: boolean): Promise<string[]> {
    const faults: string[] = [];
    for await (const fault of this.context.reads.stream((tx) => this.read(tx, zoneId, readsKeys))) {
      faults.push(fault);
      if (faults.length === MAX_FAULTS) break;
    }
    return faults;
  }

  private async *read(tx: Transaction, zoneId: string, readsKeys: boolean): AsyncGenerator<string> {
    const row = await this.context.signing.find(tx, zoneId);
    if (row === undefined || row.signedVersion === null) return;
    if (row.haltedBecause !== null) yield `signing was halted: ${row.haltedBecause}`;
    const { keys, prepared, form, names } = await this.zones.published(tx, row);
    if (readsKeys) yield* faultsOfKeys(() => this.keys.signing(keys, prepared));
    const published = {
      at: (wanted: readonly WireSet[]) => this.at(tx, row, wanted),
      count: () => this.context.sets.count(tx, row),
    };
    const now = toUnixSeconds(this.clock.now());
    const hidden = await this.hiddenKeys(tx, zoneId, keys);
    for await (const fault of faultsOfZone(form, inBatches(names), published, isMade, now, hidden))
      yield describeFault(fault);
  }

  /** The keys that sign without a DNSKEY record, during an algorithm rollover (RFC 6781 §4.1.4). */
  private async hiddenKeys(tx: Transaction, zoneId: string, keys: readonly ZoneKeyEntity[]): Promise<PublishedKey[]> {
    const rollover = await this.context.rollovers.find(tx, zoneId);
    if (rollover?.kind !== 'algorithm') return [];
    return keys.filter(({ isPublished }) => isPublished === 0).map((key) => new PublishedKey(dnskeyOf(key)));
  }

  private async at(tx: Transaction, row: ZoneSigningEntity, wanted: readonly WireSet[]): Promise<PublishedSet[]> {
    const owners = [...new Set(wanted.map(({ owner }) => owner.key))];
    return (await this.context.sets.at(tx, row, owners)).map(readSignedSet);
  }
}

function* faultsOfKeys(read: () => unknown): Generator<string> {
  try {
    read();
  } catch (error) {
    if (!(error instanceof SealedShut)) throw error;
    yield error.message;
  }
}

async function* inBatches<T>(batches: AsyncIterable<readonly T[]>): AsyncGenerator<readonly T[]> {
  for await (const batch of batches) {
    for (let from = 0; from < batch.length; from += BATCH) {
      yield batch.slice(from, from + BATCH);
      await nextTurn();
    }
  }
}

/** Checks each signed zone once a day. A zone with faults is signed anew. */
@Injectable()
export class ZoneVerification {
  private readonly logger = new Logger('Zonewright');

  constructor(
    private readonly check: SignedZoneCheck,
    private readonly context: SigningContext,
    private readonly clock: Clock,
  ) {}

  async run(signal: AbortSignal): Promise<void> {
    for (;;) {
      const zoneId = await this.context.read((tx) => this.context.signing.uncheckedSince(tx, this.clock.now() - DAY));
      if (zoneId === null || signal.aborted) return;
      await this.checkOne(zoneId);
    }
  }

  private async checkOne(zoneId: string): Promise<void> {
    const now = this.clock.now();
    const faults = await this.faultsOf(zoneId);
    if (faults.length > 0) {
      FAULTS.of().add(faults.length);
      this.logger.error(`Zone ${zoneId}: the published data is invalid: ${faults.join('; ')}. Signing it anew.`);
    }
    await this.context.update(zoneId, async (tx, row) => {
      await this.context.signing.recordCheck(tx, zoneId, now);
      if (row === undefined || faults.length === 0) return;
      const nextDueAt = row.nextDueAt === null ? now : Math.min(row.nextDueAt, now);
      await this.context.signing.update(tx, {
        ...row,
        signedVersion: null,
        keysVersion: row.keysVersion + 1,
        nextDueAt,
      });
    });
  }

  private async faultsOf(zoneId: string): Promise<readonly string[]> {
    try {
      return await this.check.faultsOf(zoneId, true);
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'zone_not_found') return [];
      throw error;
    }
  }
}
