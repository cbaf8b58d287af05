import { Injectable } from '@nestjs/common';
import { Clock, toUnixSeconds } from '../../common/clock.js';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import { readRrsig } from '../../dns/dnssec/rrsig.js';
import { signaturesOf, type SigningKeys } from '../../dns/dnssec/zone-signer.js';
import type { WireSet } from '../../dns/dnssec/wire-set.js';
import { DomainName } from '../../dns/name.js';
import { SIGNATURES } from '../dnssec-metrics.js';
import { DnssecOptions } from '../dnssec.options.js';
import type { SignedSetEntity } from '../state/signed-set.entity.js';
import { digestOf, isMade, isOfChain, octetsOfAll, textOfAll } from '../state/signed-set-form.js';
import type { GenerationOfZone } from '../state/generation.js';
import { signatureTimes } from './signature-times.js';
import type { SetToSign } from './signing-task.js';
import { tagsFor } from './task-reader.js';

/** Requests between two slices wait for no more than this, in milliseconds. */
const SLICE = 1;

/** Makes signatures, a few at a time. */
@Injectable()
export class ZoneSignatures {
  constructor(
    private readonly clock: Clock,
    private readonly options: DnssecOptions,
  ) {}

  /**
   * The rows of these sets.
   * @throws UnverifiedSignature
   */
  async rowsOf(
    of: GenerationOfZone & { readonly name: string },
    sets: readonly SetToSign[],
    keys: SigningKeys,
  ): Promise<SignedSetEntity[]> {
    const apex = DomainName.parse(of.name).canonical;
    const now = toUnixSeconds(this.clock.now());
    const rows: SignedSetEntity[] = [];
    let sliceEnd = performance.now() + SLICE;
    for (const { set, before } of sets) {
      if (performance.now() > sliceEnd) {
        await nextTurn();
        sliceEnd = performance.now() + SLICE;
      }
      rows.push(this.rowOf(of, set, before, keys, apex, now));
    }
    SIGNATURES.of().add(rows.length);
    return rows;
  }

  private rowOf(
    { zoneId, generation }: GenerationOfZone,
    set: WireSet,
    before: SignedSetEntity | null,
    keys: SigningKeys,
    apex: DomainName,
    now: number,
  ): SignedSetEntity {
    const { type, ttl, rdatas } = set;
    const ownerKey = set.owner.key;
    const place = `${zoneId} ${type} ${ownerKey}`;
    const times = signatureTimes(now, place, latestInception(before), this.options);
    // A row is made for each set of the zone: what it is put together from is not spread out of other objects.
    return {
      zoneId,
      generation,
      ownerKey,
      type,
      chainKey: isOfChain(type) ? ownerKey : null,
      ttl,
      digest: digestOf(set),
      rdatas: isMade(set, apex) ? textOfAll(rdatas) : '',
      signatures: textOfAll(signaturesOf(set, keys, apex, times)),
      signedBy: tagsFor(set, keys, apex),
      expiresAt: times.expiration,
      dueAt: times.dueAt,
    };
  }
}

function latestInception(before: SignedSetEntity | null): number | null {
  if (before === null) return null;
  return Math.max(...octetsOfAll(before.signatures).map((rrsig) => readRrsig(rrsig).inception));
}
