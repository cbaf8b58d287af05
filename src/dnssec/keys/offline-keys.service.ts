import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { Clock, formatInstant, SECOND, toUnixSeconds } from '../../common/clock.js';
import { readField, ServiceError } from '../../common/service-error.js';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import {
  KeyExchangeError,
  type KeyRequest,
  partsOfResponse,
  readResponses,
  type SignedKeySet,
  writeRequests,
} from '../../dns/dnssec/key-exchange.js';
import { PublishedKey } from '../../dns/dnssec/dnskey.js';
import { isSignatureOf, MissingSignature, readRrsig } from '../../dns/dnssec/rrsig.js';
import type { WireSet } from '../../dns/dnssec/wire-set.js';
import { DomainName } from '../../dns/name.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { DnssecRequests } from '../dnssec-requests.js';
import { RolloverStages } from '../rollovers/rollover-stages.js';
import { keySets } from '../signing/present-sets.js';
import { SigningContext } from '../signing-context.js';
import { digestOf } from '../state/signed-set-form.js';
import { withOtherKeys, type ZoneSigningEntity } from '../state/zone-signing.entity.js';
import type { ZoneDnssec } from '../zone-dnssec.js';
import { isOffline } from './key-responses.js';
import type { KeySignatureEntity } from './key-signature.entity.js';
import type { ZoneKeyEntity } from './zone-key.entity.js';
import { dnskeyOf } from './zone-keys.js';

/** Of a request: how long its signatures shall last. */
export const MOST_DAYS = 180;
export const USUAL_DAYS = 90;
const DAY_SECONDS = 86_400;
/** Signatures of Knot and BIND are valid for two weeks by default, so each has a week left when the next begins. */
const INTERVAL = 7 * DAY_SECONDS;
/** Four keys of 4096 bits, with two signatures of each of three sets, take a quarter. */
const MOST_OCTETS_OF_PART = 65_536;
/** Half a year of weekly signatures for all sets of a rollover. */
const MOST_SIGNATURES = 2000;

/** Of a domain: those of a response, and earlier ones that are still valid. */
const MOST_STORED = 2 * MOST_SIGNATURES;

interface Stages {
  readonly dnssec: ZoneDnssec;
  readonly signing: ZoneSigningEntity & { readonly keyTtl: number };
  /** The keys now, and in each later step of the rollover. */
  readonly stages: readonly (readonly ZoneKeyEntity[])[];
}

/** Has the offline KSK of a zone sign its keys: writes key signing requests and stores signed key responses (behaviour 23.19). */
@Injectable()
export class OfflineKeysService {
  constructor(
    private readonly requests: DnssecRequests,
    private readonly stages: RolloverStages,
    private readonly context: SigningContext,
    private readonly clock: Clock,
  ) {}

  /** @param days that the signatures shall last @throws ServiceError `zone_not_found`, `signing_conflict` without an offline KSK */
  async request(zoneId: string, days: number, caller: Caller): Promise<string> {
    const { dnssec, signing, stages } = await this.stagesOf(zoneId, caller);
    const now = this.clock.now();
    const requests: KeyRequest[] = [];
    for (const keys of stages) {
      const published = keys.filter(({ isPublished }) => isPublished === 1);
      const signers = published.filter((key) => key.signsKeys === 1 && isOffline(key));
      if (signers.length === 0) continue;
      const form = {
        ttl: signing.keyTtl,
        dnskeys: published.filter((key) => !signers.includes(key)).map(dnskeyOf),
        ksks: signers.map(({ tag }) => tag),
        inCds: published.filter(({ isInCds }) => isInCds === 1).map(({ tag }) => tag),
      };
      for (let from = toUnixSeconds(now); from < toUnixSeconds(now) + days * DAY_SECONDS; from += INTERVAL)
        requests.push({ ...form, from });
    }
    return writeRequests(DomainName.parse(dnssec.zone.name), requests, formatInstant(now));
  }

  /**
   * Stores the signatures for the keys of the zone, and goes on with them.
   * @throws ServiceError `zone_not_found`, `forbidden`, `signing_conflict`, `invalid_object` for an unusable response
   */
  async respond(zoneId: string, response: string, caller: Caller): Promise<ZoneDnssec> {
    const { dnssec, signing, stages } = await this.stagesOf(zoneId, caller);
    const wanted = wantedSets(dnssec.zone, signing, stages);
    const signatures = await this.verified(dnssec.zone, response, wanted, stages.flat());
    return this.requests.change(zoneId, caller, async ({ tx, zone, row }) => {
      if (row.keyTtl === null) throw noOfflineKsk(zone);
      const now = this.clock.now();
      const stored = await this.context.responses.store(tx, zone.id, signatures, wanted);
      if (stored > MOST_STORED) throw invalid(`the domain has ${MOST_STORED} signatures of other times already.`);
      const wasMissing = dnssec.keys.some(({ tag }) => row.haltedBecause === new MissingSignature(tag).message);
      await this.context.signing.update(tx, {
        ...withOtherKeys(row, now),
        ...(wasMissing && { haltedBecause: null, signedVersion: null, runAt: now }),
      });
      const last = Math.max(...signatures.map(({ expiration }) => expiration));
      const details = { signatures: signatures.length, until: formatInstant(last * SECOND) };
      await this.requests.note(tx, caller, 'dnssec.key_response', zone, details);
    });
  }

  private async stagesOf(zoneId: string, caller: Caller): Promise<Stages> {
    const dnssec = await this.requests.of(zoneId, caller);
    const { signing } = dnssec;
    const keyTtl = signing?.keyTtl ?? null;
    if (signing === null || keyTtl === null) throw noOfflineKsk(dnssec.zone);
    const stages = await this.context.read((tx) => this.stages.of(tx, zoneId));
    return { dnssec, signing: { ...signing, keyTtl }, stages };
  }

  /** Ignores sets that the zone does not need. */
  private async verified(
    { id: zoneId, name }: Readonly<ZoneEntity>,
    response: string,
    wanted: readonly WireSet[],
    keys: readonly ZoneKeyEntity[],
  ): Promise<KeySignatureEntity[]> {
    const apex = DomainName.parse(name);
    const ksks = new Map(keys.filter(isOffline).map((key) => [key.tag, new PublishedKey(dnskeyOf(key))]));
    const contents = new Set(wanted.map(contentOf));
    const now = toUnixSeconds(this.clock.now());
    const found = new Map<string, KeySignatureEntity>();
    for await (const { set, signatures } of setsIn(response, apex)) {
      if (!contents.has(contentOf(set))) continue;
      for (const rrsig of signatures) {
        const { tag, inception, expiration } = readRrsig(rrsig);
        const key = ksks.get(tag);
        if (key === undefined || expiration <= now) continue;
        if (!isSignatureOf(rrsig, set, key, apex)) throw invalid(`a signature of the KSK ${tag} is wrong.`);
        const { type } = set;
        const text = Buffer.from(rrsig).toString('base64');
        const row = { zoneId, type, digest: digestOf(set), tag, inception, expiration, rrsig: text };
        found.set(`${contentOf(set)} ${tag} ${inception}`, row);
      }
    }
    if (found.size === 0)
      throw invalid(`no valid signature in it is for the keys of ${name}: have a new request signed.`);
    if (found.size > MOST_SIGNATURES)
      throw invalid(`it has more than ${MOST_SIGNATURES} signatures: ask for fewer days.`);
    return [...found.values()];
  }
}

/** Reads one part after the other, so that others get their turns. */
async function* setsIn(response: string, apex: DomainName): AsyncGenerator<SignedKeySet> {
  const [first, ...rest] = partsOfResponse(response);
  // The first part has no header, unless the text has none at all.
  const parts = rest.length === 0 || /^[^;\s]/m.test(first?.text ?? '') ? [first, ...rest] : rest;
  for (const part of parts) {
    if (part === undefined) continue;
    if (part.text.length > MOST_OCTETS_OF_PART)
      throw invalid(`line ${part.linesBefore + 1}: a block has at most ${MOST_OCTETS_OF_PART} octets.`);
    yield* readField('response', KeyExchangeError, () => readResponses(part.text, apex, part.linesBefore));
    await nextTurn();
  }
}

/** CDS and CDNSKEY are published from the state `ready` on, and signed before. */
function wantedSets(
  { name }: Readonly<ZoneEntity>,
  { keyTtl }: Stages['signing'],
  stages: Stages['stages'],
): WireSet[] {
  const apex = DomainName.parse(name);
  const sets = stages.flatMap((keys) => keySets(apex, keyTtl, 'ready', keys));
  return [...new Map(sets.map((set) => [contentOf(set), set])).values()];
}

function contentOf(set: WireSet): string {
  return `${set.type} ${digestOf(set)}`;
}

function noOfflineKsk({ name }: Readonly<ZoneEntity>): ServiceError {
  return new ServiceError('signing_conflict', `${name} has no offline KSK.`);
}

function invalid(message: string): ServiceError {
  return ServiceError.ofField('invalid_object', 'response', 'format', `response: ${message}`);
}
