import { Injectable } from '@nestjs/common';
import { Clock, toUnixSeconds } from '../common/clock.js';
import { nextTurn } from '../common/waiting/event-loop-turns.js';
import { Reads } from '../database/reads.js';
import type { Transaction } from '../database/transaction.js';
import { PublishedKey } from '../dns/dnssec/signing-key.js';
import type { WireSet } from '../dns/dnssec/wire-set.js';
import { describeFault, faultsOfZone, type PublishedSet } from '../dns/dnssec/zone-check.js';
import { SealedShut } from './keys/key-vault.js';
import type { ZoneKeyEntity } from './keys/zone-key.entity.js';
import { dnskeyOf, ZoneKeys } from './keys/zone-keys.js';
import { ZoneRolloverRepository } from './rollovers/zone-rollover.repository.js';
import { ZoneInOrder } from './signing/zone-in-order.js';
import { isMade, readSignedSet } from './state/signed-set-form.js';
import { SignedSetRepository } from './state/signed-set.repository.js';
import type { ZoneSigningEntity } from './state/zone-signing.entity.js';
import { ZoneSigningRepository } from './state/zone-signing.repository.js';

/** So many faults of one zone are told. */
const MOST_FAULTS = 100;
/** So many signatures are verified before others get their turn. */
const AT_ONCE = 10;

/** Looks at everything that is published of signed zones. */
@Injectable()
export class SignedZoneCheck {
  constructor(
    private readonly zones: ZoneInOrder,
    private readonly keys: ZoneKeys,
    private readonly sets: SignedSetRepository,
    private readonly signing: ZoneSigningRepository,
    private readonly rollovers: ZoneRolloverRepository,
    private readonly reads: Reads,
    private readonly clock: Clock,
  ) {}

  /**
   * What is wrong with the zone, in words; nothing for one that is not signed.
   * @param readsKeys whether its private keys have to be readable here
   * @throws ServiceError `zone_not_found`, `unavailable`
   */
  async faultsOf(zoneId: string, readsKeys: boolean): Promise<string[]> {
    const faults: string[] = [];
    for await (const fault of this.reads.stream((tx) => this.read(tx, zoneId, readsKeys))) {
      faults.push(fault);
      if (faults.length === MOST_FAULTS) break;
    }
    return faults;
  }

  private async *read(tx: Transaction, zoneId: string, readsKeys: boolean): AsyncGenerator<string> {
    const row = await this.signing.find(tx, zoneId);
    if (row === undefined || row.signedVersion === null) return;
    if (row.haltedBecause !== null) yield `signing was halted: ${row.haltedBecause}`;
    const { keys, form, names } = await this.zones.published(tx, row);
    if (readsKeys) yield* faultsOfKeys(() => this.keys.signing(keys));
    const published = {
      at: (wanted: readonly WireSet[]) => this.at(tx, row, wanted),
      count: () => this.sets.count(tx, row),
    };
    const now = toUnixSeconds(this.clock.now());
    const hidden = await this.hiddenKeys(tx, zoneId, keys);
    for await (const fault of faultsOfZone(form, inBatches(names), published, isMade, now, hidden))
      yield describeFault(fault);
  }

  /** Those that sign before they are published, and after (RFC 6781 §4.1.4). */
  private async hiddenKeys(tx: Transaction, zoneId: string, keys: readonly ZoneKeyEntity[]): Promise<PublishedKey[]> {
    const rollover = await this.rollovers.find(tx, zoneId);
    if (rollover?.kind !== 'algorithm') return [];
    return keys.filter(({ isPublished }) => isPublished === 0).map((key) => new PublishedKey(dnskeyOf(key)));
  }

  private async at(tx: Transaction, row: ZoneSigningEntity, wanted: readonly WireSet[]): Promise<PublishedSet[]> {
    const owners = [...new Set(wanted.map(({ owner }) => owner.key))];
    return (await this.sets.at(tx, row, owners)).map(readSignedSet);
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

/** Verifying takes a tenth of a millisecond for each set. */
async function* inBatches<T>(batches: AsyncIterable<readonly T[]>): AsyncGenerator<readonly T[]> {
  for await (const batch of batches) {
    for (let from = 0; from < batch.length; from += AT_ONCE) {
      yield batch.slice(from, from + AT_ONCE);
      await nextTurn();
    }
  }
}
