import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock, toUnixSeconds } from '../../common/clock.js';
import { allOf } from '../../common/all-of.js';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import type { Transaction } from '../../database/transaction.js';
import {
  BACKDATED,
  keysFor,
  type PreparedSignature,
  PresignedKey,
  readRrsig,
  type Validity,
  signaturesOf,
  type SigningKeys,
  TokenKey,
  unsignedRrsig,
  type ZoneSigners,
} from '../../dns/dnssec/rrsig.js';
import { setsToSign } from '../../dns/dnssec/whole-zone.js';
import { isSignedByKsk, type WireSet } from '../../dns/dnssec/wire-set.js';
import { DomainName } from '../../dns/name.js';
import { SIGNATURES } from '../dnssec-metrics.js';
import { DnssecOptions, SPREAD_DAYS } from '../dnssec.options.js';
import { ZoneKeys } from '../keys/zone-keys.js';
import { SigningContext } from '../signing-context.js';
import { SignedSetsCleanup } from '../state/generations.js';
import type { SignedSetEntity } from '../state/signed-set.entity.js';
import { digestOf, isMade, isOfChain, octetsOfAll, textOfAll } from '../state/signed-set-form.js';
import type { GenerationOfZone } from '../state/signed-set.repository.js';
import type { ZoneSigningEntity } from '../state/zone-signing.entity.js';
import { type SetToSign, type SignedBase, tagsFor } from './task-reader.js';
import { ZoneInOrder } from './zone-in-order.js';

const SPREAD = SPREAD_DAYS * 86_400;
const SLICE_MS = 1;
const PORTION = 1000;
/** Of a zone, in the spread of its renewals: one every hour and a half. */
const RENEWAL_PLACES = 64;

export interface SignatureTimes extends Validity {
  /** When to renew the signature, in seconds since 1970. */
  readonly dueAt: number;
}

/**
 * Where the renewals of the sets of a zone are in the spread, from 0 to 1, each always in the same place. A zone has few places: with
 * one for each set, every portion of a large zone would write all pages of the index of due sets again.
 */
export function renewalShares(zoneId: string): (set: string) => number {
  const ofZone = fractionOf(zoneId);
  return (set) => (Math.floor(fractionOf(`${zoneId} ${set}`) * RENEWAL_PLACES) + ofZone) / RENEWAL_PLACES;
}

function fractionOf(text: string): number {
  return hash('sha256', text, 'buffer').readUInt32BE(0) / 2 ** 32;
}

/** Times in seconds since 1970, not before the inception `before`. `share`: where in the spread of renewals, from 0 to 1. */
export function signatureTimes(
  now: number,
  share: number,
  before: number | null,
  { validity, refresh }: Pick<DnssecOptions, 'validity' | 'refresh'>,
): SignatureTimes {
  const expiration = now + validity;
  const inception = Math.max(now - BACKDATED, before ?? 0);
  return { inception, expiration, dueAt: Math.floor(expiration - refresh - share * SPREAD) };
}

interface SignatureContext {
  readonly apex: DomainName;
  /** In seconds since 1970. */
  readonly now: number;
  readonly shareOf: (set: string) => number;
}

/** Signs record sets in slices between requests. */
@Injectable()
export class ZoneSignatures {
  constructor(
    private readonly clock: Clock,
    private readonly options: DnssecOptions,
  ) {}

  /** @throws UnverifiedSignature, and TokenFailure for keys in a token */
  async rowsOf(
    of: GenerationOfZone & { readonly name: string },
    sets: readonly SetToSign[],
    signers: ZoneSigners,
  ): Promise<SignedSetEntity[]> {
    const apex = DomainName.parse(of.name).canonical;
    const context = { apex, now: toUnixSeconds(this.clock.now()), shareOf: renewalShares(of.zoneId) };
    const keys = await this.presigned(sets, signers, context);
    const rows = await inSlices(sets, ({ set, before }) => this.rowOf(of, set, before, keys, context));
    SIGNATURES.of().add(rows.length);
    return rows;
  }

  /** Has the keys in a token sign all sets first. */
  private async presigned(
    sets: readonly SetToSign[],
    { ofKeys, ofZone }: ZoneSigners,
    context: SignatureContext,
  ): Promise<SigningKeys> {
    const ready = (keys: ZoneSigners['ofKeys'], isOfKsk: boolean): Promise<SigningKeys['ofKeys']> =>
      allOf(
        keys.map(async (key) => {
          if (!(key instanceof TokenKey)) return key;
          const own = sets.filter(({ set }) => isSignedByKsk(set, context.apex) === isOfKsk);
          return this.signedInToken(own, key, context);
        }),
      );
    return { ofKeys: await ready(ofKeys, true), ofZone: await ready(ofZone, false) };
  }

  private async signedInToken(
    sets: readonly SetToSign[],
    key: TokenKey,
    context: SignatureContext,
  ): Promise<PresignedKey> {
    const unsigned = await inSlices(sets, ({ set, before }) => {
      const times = this.timesOf(set, before, context);
      return { set, dueAt: times.dueAt, ...unsignedRrsig(set, key, context.apex, times) };
    });
    const signatures = await key.sign(unsigned.map(({ data }) => data));
    const made = new Map<WireSet, PreparedSignature>();
    unsigned.forEach(({ set, dueAt, head }, at) =>
      made.set(set, { rrsig: Buffer.concat([head, signatures[at] ?? Buffer.alloc(0)]), dueAt }),
    );
    return new PresignedKey(key.dnskey, (set) => made.get(set) ?? null);
  }

  private timesOf(
    { type, owner }: WireSet,
    before: SignedSetEntity | null,
    { now, shareOf }: SignatureContext,
  ): SignatureTimes {
    return signatureTimes(now, shareOf(`${type} ${owner.key}`), latestInception(before), this.options);
  }

  private rowOf(
    { zoneId, generation }: GenerationOfZone,
    set: WireSet,
    before: SignedSetEntity | null,
    keys: SigningKeys,
    context: SignatureContext,
  ): SignedSetEntity {
    const { apex } = context;
    const { type, ttl, rdatas } = set;
    const ownerKey = set.owner.key;
    const times = this.timesOf(set, before, context);
    const signatures = signaturesOf(set, keys, apex, times);
    const { expiration, dueAt } = isSignedByKsk(set, apex) ? keySetTimes(set, keys, apex, times) : times;
    // No object spread: it would cost time for each set of the zone.
    return {
      zoneId,
      generation,
      ownerKey,
      type,
      chainKey: isOfChain(type) ? ownerKey : null,
      ttl,
      digest: digestOf(set),
      rdatas: isMade(set, apex) ? textOfAll(rdatas) : '',
      signatures: textOfAll(signatures),
      signedBy: tagsFor(set, keys, apex),
      expiresAt: expiration,
      dueAt,
    };
  }
}

/** Requests wait at most one slice. */
async function inSlices<T, Result>(all: readonly T[], work: (one: T) => Result): Promise<Result[]> {
  const results: Result[] = [];
  let sliceEnd = performance.now() + SLICE_MS;
  for (const one of all) {
    if (performance.now() > sliceEnd) {
      await nextTurn();
      sliceEnd = performance.now() + SLICE_MS;
    }
    results.push(work(one));
  }
  return results;
}

/** With offline keys: when the first signature expires, and when the first is to be replaced. */
function keySetTimes(
  set: WireSet,
  keys: SigningKeys,
  apex: DomainName,
  times: SignatureTimes,
): Pick<SignatureTimes, 'expiration' | 'dueAt'> {
  const all = keysFor(set, keys, apex).map((key) => {
    if (!(key instanceof PresignedKey)) return times;
    const { rrsig, dueAt } = key.prepared(set);
    return { expiration: readRrsig(rrsig).expiration, dueAt };
  });
  return {
    expiration: Math.min(...all.map(({ expiration }) => expiration)),
    dueAt: Math.min(...all.map(({ dueAt }) => dueAt)),
  };
}

function latestInception(before: SignedSetEntity | null): number | null {
  if (before === null) return null;
  return Math.max(...octetsOfAll(before.signatures).map((rrsig) => readRrsig(rrsig).inception));
}

/** Signs a whole zone into a new generation of rows, which no reader sees before its publication. */
@Injectable()
export class WholeZoneSigner {
  constructor(
    private readonly context: SigningContext,
    private readonly zones: ZoneInOrder,
    private readonly keys: ZoneKeys,
    private readonly signatures: ZoneSignatures,
    private readonly cleanup: SignedSetsCleanup,
  ) {}

  /** Memory grows with the number of names, not of records. `generation` comes from `newGeneration`. */
  async sign(row: ZoneSigningEntity, generation: number, signal: AbortSignal): Promise<SignedBase> {
    const { zoneId } = row;
    let version: number | null = null;
    for await (const { name, keys, chunk, ...zone } of this.context.reads.stream((tx) => this.portions(tx, row))) {
      signal.throwIfAborted();
      const rows = await this.signatures.rowsOf({ zoneId, generation, name }, chunk, keys);
      await this.context.unitOfWork.run((tx) => this.context.sets.write(tx, rows), { queue: 'signing' });
      version = zone.version;
    }
    if (version === null) throw new Error(`zone ${zoneId} has no record sets`);
    return { row, generation, version, isFresh: true };
  }

  /** Published or not. */
  generationsOf(zoneId: string): Promise<number[]> {
    return this.context.read((tx) => this.context.sets.generationsOf(tx, zoneId));
  }

  /** Deletes generations that are not published. The hourly cleanup retries failures after a day. */
  async discard(zoneId: string, generations: ReadonlySet<number>, signal: AbortSignal): Promise<void> {
    for (const generation of generations)
      await this.cleanup.remove({ zoneId, generation }, signal).catch(() => undefined);
  }

  private async *portions(tx: Transaction, row: ZoneSigningEntity): AsyncGenerator<Portion> {
    const { zone, keys: keyRows, prepared, form, names } = await this.zones.present(tx, row);
    const { name, version } = zone;
    const keys = this.keys.signing(keyRows, prepared);
    let chunk: SetToSign[] = [];
    for await (const sets of setsToSign(form, names)) {
      chunk.push(...sets.map((set) => ({ set, before: null })));
      if (chunk.length < PORTION) continue;
      yield { name, version, keys, chunk };
      chunk = [];
    }
    if (chunk.length > 0) yield { name, version, keys, chunk };
  }
}

interface Portion {
  readonly name: string;
  readonly version: number;
  readonly keys: ZoneSigners;
  readonly chunk: readonly SetToSign[];
}
