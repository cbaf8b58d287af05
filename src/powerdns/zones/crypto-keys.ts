import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import {
  ALGORITHMS_OF_NEW_KEYS,
  NAMES_OF_NEW_KEYS,
  type SigningAlgorithm,
  signingAlgorithm,
} from '../../dns/dnssec/algorithms.js';
import { DnssecService, type EnableRequest } from '../../dnssec/dnssec.service.js';
import type { ZoneKeyEntity } from '../../dnssec/keys/zone-key.entity.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ZonesService } from '../../zones/zones.service.js';
import * as sent from '../input.js';
import { readKind } from './powerdns-zone-fields.js';
import { readDnskey } from '../../dns/dnssec/dnskey.js';
import { CDNSKEY } from '../../dns/rdata/dnssec.js';
import { type ZoneDnssec, delegationSigners } from '../../dnssec/zone-dnssec.js';
import { dnskeyOf } from '../../dnssec/keys/zone-keys.js';

const MOST = 65_535;

/** The cryptokeys API: owners start and end signing, rollovers replace keys. */
@Injectable()
export class CryptoKeys {
  constructor(
    readonly dnssec: DnssecService,
    readonly zones: ZonesService,
  ) {}

  async list(zone: ZoneEntity, caller: Caller): Promise<KeyView[]> {
    const dnssec = await this.dnssec.of(zone.id, caller);
    return dnssec.keys.map((key) => toKeyView(dnssec, key));
  }

  /** `null`: no such key. */
  async one(zone: ZoneEntity, id: string, caller: Caller): Promise<KeyView | null> {
    const dnssec = await this.dnssec.of(zone.id, caller);
    const key = dnssec.keys.find(({ tag }) => String(tag) === id);
    return key === undefined ? null : toKeyView(dnssec, key);
  }

  /** Starts signing with the first key. More keys need a rollover. */
  async add(zone: ZoneEntity, value: unknown, caller: Caller): Promise<object> {
    this.assertAvailable();
    const algorithm = readFirstKey(sent.objectIn(value, 'The body'));
    const { signing } = await this.dnssec.of(zone.id, caller);
    if (signing !== null) sent.refuse(`${zone.name} has keys already: ask for a rollover at /v1`);
    const dnssec = await this.dnssec.enable(zone.id, { algorithm }, caller);
    const [key] = dnssec.keys;
    return key === undefined ? {} : toKeyView(dnssec, key);
  }

  /** Returns `false` without such a key. */
  async keep(zone: ZoneEntity, id: string, value: unknown, caller: Caller): Promise<boolean> {
    const body = sent.objectIn(value, 'The body');
    const key = await this.keyOf(zone, id, caller);
    if (key === undefined) return false;
    const { active, published } = toKeyView({ zone }, key);
    const isAsItIs =
      (sent.truthIn(body, 'active') ?? active) === active &&
      (sent.truthIn(body, 'published') ?? published) === published;
    if (!isAsItIs) sent.refuse('Which keys sign and are published follows from rollovers: ask for one at /v1');
    return true;
  }

  /** Deleting the key of the DS ends signing. Returns `false` without such a key. */
  async remove(zone: ZoneEntity, id: string, caller: Caller): Promise<boolean> {
    const key = await this.keyOf(zone, id, caller);
    if (key === undefined) return false;
    if (key.role === 'zsk' || key.isInCds === 0 || key.signer !== null)
      sent.refuse('This key goes with a rollover: ask for one at /v1');
    await this.dnssec.disable(zone.id, caller);
    return true;
  }

  /** Reads `dnssec` of a new zone; absent: unsigned. */
  readNew(value: unknown): boolean | undefined {
    const body = sent.objectIn(value, 'The body');
    const wish = sent.truthIn(body, 'dnssec');
    if (wish !== true) return wish;
    this.assertAvailable();
    if (readKind(body) === 'Slave')
      sent.refuse('The records of a secondary zone come from its masters: it is not signed here');
    return true;
  }

  /** Reads `dnssec` of an update; `undefined` without a change. A zone in state `leaving` counts as signed. */
  async readChange(zone: ZoneEntity, value: unknown, caller: Caller): Promise<boolean | undefined> {
    const wish = sent.truthIn(sent.objectIn(value, 'The body'), 'dnssec');
    if (wish === undefined) return undefined;
    const isSigned = (await this.dnssec.of(zone.id, caller)).signing !== null;
    return wish === isSigned ? undefined : this.readNew(value);
  }

  async sign(zone: ZoneEntity, wish: boolean | undefined, caller: Caller): Promise<void> {
    if (wish === true) await this.dnssec.enable(zone.id, {}, caller);
    if (wish === false) await this.dnssec.disable(zone.id, caller);
  }

  /** Deletes the new zone if signing fails. */
  async signNew(zone: ZoneEntity, wish: boolean | undefined, caller: Caller): Promise<void> {
    if (wish === true) await signNewZone(this, zone, {}, caller);
  }

  private assertAvailable(): void {
    if (!this.dnssec.isAvailable) sent.refuse('DNSSEC is not available: the zone cannot be signed here');
  }

  private async keyOf(zone: ZoneEntity, id: string, caller: Caller): Promise<ZoneKeyEntity | undefined> {
    return (await this.dnssec.of(zone.id, caller)).keys.find(({ tag }) => String(tag) === id);
  }
}

/** Deletes the new zone if signing fails. */
export async function signNewZone(
  { dnssec, zones }: { readonly dnssec: DnssecService; readonly zones: ZonesService },
  { id }: Pick<ZoneEntity, 'id'>,
  request: EnableRequest,
  caller: Caller,
): Promise<void> {
  try {
    await dnssec.enable(id, request, caller);
  } catch (error) {
    await zones.delete(id, caller);
    throw error;
  }
}

function isTrueOrLeftOut(body: sent.InputObject, field: string): boolean {
  return sent.truthIn(body, field) ?? true;
}

/** The requested algorithm. Other fields must have the supported values. */
function readFirstKey(body: sent.InputObject): number | undefined {
  for (const field of ['privatekey', 'content'])
    if ((sent.textIn(body, field) ?? '') !== '')
      sent.refuse('Keys of other signers are brought by zonewright dnssec enable --key');
  const keytype = sent.neededText(body, 'keytype').toLowerCase();
  if (keytype !== 'csk' && keytype !== 'ksk') sent.refuse('A zone begins with one key for all: ask for a csk');
  if (sent.truthIn(body, 'active') !== true || !isTrueOrLeftOut(body, 'published'))
    sent.refuse('A zone begins with a key that is active and published');
  return readAlgorithm(body);
}

function readAlgorithm(body: sent.InputObject): number | undefined {
  const { algorithm } = body;
  if (algorithm === undefined || algorithm === null) return undefined;
  const isMeant = ({ number, mnemonic }: SigningAlgorithm): boolean =>
    typeof algorithm === 'string'
      ? mnemonic === algorithm.toUpperCase() || String(number) === algorithm
      : number === sent.integerIn(body, 'algorithm', MOST);
  const known = ALGORITHMS_OF_NEW_KEYS.find(isMeant);
  return known?.number ?? sent.refuse(`The algorithm is none of ${NAMES_OF_NEW_KEYS.join(', ')}`);
}

export interface KeyView {
  readonly active: boolean;
  readonly algorithm: string;
  readonly bits: number;
  readonly dnskey: string;
  readonly ds: readonly string[];
  readonly flags: number;
  /** The key tag, unique within the zone: clients expect a number. */
  readonly id: number;
  readonly keytype: string;
  readonly published: boolean;
  readonly type: 'Cryptokey';
}

export function toKeyView({ zone }: Pick<ZoneDnssec, 'zone'>, key: ZoneKeyEntity): KeyView {
  const dnskey = dnskeyOf(key);
  const { flags, publicField } = readDnskey(dnskey);
  const algorithm = signingAlgorithm(key.algorithm);
  return {
    active: key.signsKeys === 1 || key.signsZone === 1,
    algorithm: algorithm.mnemonic,
    bits: bitsOf(algorithm, publicField),
    // DNSKEY and CDNSKEY have one presentation format.
    dnskey: CDNSKEY.toText(dnskey),
    ds: delegationSigners({ zone, keys: [key] }),
    flags,
    id: key.tag,
    keytype: key.role,
    published: key.isPublished === 1,
    type: 'Cryptokey',
  };
}

/** RSA modulus bits; of other keys the bits of the curve, as PowerDNS has them. */
function bitsOf(algorithm: SigningAlgorithm, publicField: Uint8Array): number {
  const { modulusLength } = algorithm.publicKeyOf(publicField).asymmetricKeyDetails ?? {};
  return modulusLength ?? algorithm.curveBits ?? 0;
}
