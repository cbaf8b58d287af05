import {
  ChoiceField,
  OptionalChoice,
  OptionalInteger,
  OptionalText,
  OptionalTexts,
} from '../../http/bodies/dto-fields.js';
import { IsBoolean } from '../../http/bodies/class-validator.js';
import { formatInstant, formatInstantOrNull, SECOND } from '../../common/clock.js';
import { ServiceError } from '../../common/service-error.js';
import { NAMES_OF_NEW_KEYS, signingAlgorithm } from '../../dns/dnssec/algorithms.js';
import { readDnskey } from '../../dns/dnssec/dnskey.js';
import { CDNSKEY } from '../../dns/rdata/dnssec.js';
import { MayBeAbsent } from '../../http/bodies/field-decorators.js';
import { ApiProperty, ApiPropertyOptional, ApiNullableText } from '../../http/openapi/decorators.js';
import { isOffline } from '../keys/key-responses.js';
import { IN_TOKEN } from '../../dns/dnssec/key-token.js';
import { dnskeyOf } from '../keys/zone-keys.js';
import { KEY_ROLES, type ZoneKeyEntity } from '../keys/zone-key.entity.js';
import { type ParentStatement, USUAL_DS_TTL } from '../parent-statements.js';
import { rolloverAt } from '../rollovers/key-lifetimes.js';
import { type RolloverRequest, USUAL_NS_TTL } from '../rollovers/key-rollover.js';
import { ROLLOVER_KINDS, type RolloverKind, type ZoneRolloverEntity } from '../rollovers/zone-rollover.entity.js';
import { agreedDs, isOursAtParent, type ServerObservation } from '../parent/parent-observation.js';
import type { StoredObservation } from '../parent/zone-parent.repository.js';
import { algorithmNumber, ALGORITHMS, DENIALS, dnskeyIn } from './update-dnssec.dto.js';
import { delegationSigners, shownState, WAIT_EVENTS, waitOf, type ZoneDnssec } from '../zone-dnssec.js';

const STEPS = ['prepare', 'sign', 'publish', 'swap', 'remove', 'unsign', 'withdraw'] as const;
const SIGNER_NAME = /^[a-z0-9](?:[a-z0-9.-]{0,61}[a-z0-9])?$/;
const MOST_KEYS = 4;
const VERDICTS = ['secure', 'insecure', 'bogus', 'silent'] as const;
const LONGEST_TTL = 604_800;

export class ParentDto {
  @ChoiceField({ enum: ['published', 'removed'], example: 'published' })
  ds!: 'published' | 'removed';

  @OptionalInteger({
    minimum: 1,
    maximum: LONGEST_TTL,
    default: USUAL_DS_TTL,
    example: USUAL_DS_TTL,
    description: 'The ttl that the DS had in the parent zone, in seconds.',
  })
  ttl?: number;
}

class DnssecKeyDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 12_345, description: 'The key tag.' })
  tag!: number;

  @ApiProperty({ enum: KEY_ROLES, example: 'csk', description: 'What it signs: all, the keys, the rest.' })
  role!: string;

  @ApiProperty({ enum: ALGORITHMS, example: 'ECDSAP256SHA256' })
  algorithm!: string;

  @ApiProperty({ example: 257, description: 'The flags of its DNSKEY record.' })
  flags!: number;

  @ApiProperty({
    example: '257 3 13 GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edbkrSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA==',
  })
  dnskey!: string;

  @ApiNullableText({ example: null, description: 'The other signer that has the private key; `null`: this service.' })
  signer!: string | null;

  @ApiProperty({ example: false, description: 'Whether it is a KSK of the domain whose private key is elsewhere.' })
  offline!: boolean;

  @ApiProperty({ example: false, description: 'Whether its private key is in the token of this service.' })
  in_token!: boolean;

  @ApiProperty({ example: true, description: 'Whether it is in the DNSKEY set.' })
  published!: boolean;

  @ApiProperty({ example: true, description: 'Whether it signs the keys.' })
  signs_keys!: boolean;

  @ApiProperty({ example: true, description: 'Whether it signs all else.' })
  signs_zone!: boolean;

  @ApiNullableText({
    example: '2027-02-21T08:29:58.000000',
    description:
      'When its scheduled rollover is due, UTC; `null`: it has no schedule, or another key replaces it already.',
  })
  rollover_at!: string | null;
}

class RolloverDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({
    enum: ROLLOVER_KINDS,
    example: 'csk',
    description: '`algorithm`: all of them; `join` and `leave`: those of another signer.',
  })
  key!: string;

  @ApiNullableText({ example: null, description: 'The signer that joins or leaves.' })
  signer!: string | null;

  @ApiProperty({ enum: ALGORITHMS, example: 'ECDSAP256SHA256', description: 'Of the new keys.' })
  algorithm!: string;

  @ApiProperty({ example: false, description: 'Whether others may have the old key.' })
  emergency!: boolean;

  @ApiProperty({ enum: STEPS, example: 'publish', description: 'What was done last.' })
  step!: string;

  @ApiProperty({ example: '2026-11-23T08:29:58.000000', description: 'When that was, UTC.' })
  since!: string;
}

export class ParentServerDto {
  @ApiProperty({ example: 'a.nic.example.' })
  name!: string;

  @ApiProperty({ type: [String], nullable: true, description: 'The DS that it has; `null` where it does not say.' })
  ds!: string[] | null;

  @ApiProperty({
    type: [String],
    nullable: true,
    example: ['ns1.example.net.'],
    description: 'The name servers that it delegates the domain to; `null` where it does not say.',
  })
  ns!: string[] | null;

  @ApiNullableText({ example: null, description: 'Why it does not.' })
  error!: string | null;
}

class SeenParentDto {
  @ApiNullableText({ example: 'org.', description: 'The zone above; `null`: it was not found.' })
  zone!: string | null;

  @ApiProperty({ example: false, description: 'Whether this service has that zone, and puts the DS into it itself.' })
  hosted!: boolean;

  @ApiProperty({
    type: [String],
    nullable: true,
    description: 'The DS that all of its name servers have; `null`: they do not agree.',
  })
  ds!: string[] | null;

  @ApiProperty({
    type: Boolean,
    nullable: true,
    example: true,
    description: 'Whether one of them is of a key of the domain; `null`: there is none, or they do not agree.',
  })
  matches!: boolean | null;

  @ApiProperty({
    enum: VERDICTS,
    nullable: true,
    example: 'secure',
    description: 'What the resolver says to the question for the DS; `null` of a zone of this service.',
  })
  resolver!: string | null;

  @ApiProperty({ type: [ParentServerDto] })
  servers!: ParentServerDto[];

  @ApiNullableText({ example: null, description: 'Why none was asked.' })
  problem!: string | null;

  @ApiProperty({ example: '2026-11-24T08:29:58.000000', description: 'When that was, UTC.' })
  seen_at!: string;
}

export class CreateRolloverDto {
  @ChoiceField({
    enum: ROLLOVER_KINDS,
    example: 'csk',
    description:
      'Which key another one takes the place of; `algorithm`: keys of another algorithm take that of all; `join`, `leave`:' +
      ' another signer of the domain begins or ends (RFC 8901).',
  })
  key!: RolloverKind;

  @OptionalChoice({
    enum: NAMES_OF_NEW_KEYS,
    example: 'ED25519',
    description: 'With `algorithm`: that of the new keys.',
  })
  algorithm?: string;

  @ApiPropertyOptional({
    default: false,
    example: false,
    description:
      'Others may have the old key: it goes without waiting for what it has signed in caches, and the DS of the new one is' +
      ' offered at once.',
  })
  @MayBeAbsent()
  @IsBoolean()
  emergency?: boolean;

  @OptionalText({
    maxLength: 63,
    example: 'other',
    description: 'With `join` and `leave`: your name for the other signer.',
  })
  signer?: string;

  @OptionalTexts({
    minItems: 1,
    maxItems: MOST_KEYS,
    example: ['257 3 13 GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edbkrSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA=='],
    description:
      'With `join`: the DNSKEY data of all keys of the other signer. With `ksk`: that of the new KSK, if its private key' +
      ' stays elsewhere.',
  })
  dnskeys?: string[];

  @OptionalInteger({
    minimum: 1,
    maximum: LONGEST_TTL,
    default: USUAL_NS_TTL,
    example: USUAL_NS_TTL,
    description:
      'With `leave`: the ttl of the NS records in the parent zone that delegated to the other signer, in seconds. Remove them first.',
  })
  ttl?: number;
}

export class DnssecDto {
  @ApiProperty({ example: true })
  enabled!: boolean;

  @ApiProperty({
    enum: ['insecure', 'signing', 'proving', 'ready', 'secure', 'leaving', 'halted'],
    example: 'ready',
    description: '`ready`: the DS may be set in the parent zone.',
  })
  state!: string;

  @ApiNullableText({ example: null, description: 'Condition that the zone waits for, as a text.' })
  waits_for!: string | null;

  @ApiProperty({ enum: WAIT_EVENTS, nullable: true, example: 'parent', description: 'The kind of event behind it.' })
  waits_on!: string | null;

  @ApiNullableText({
    example: '2026-11-25T08:29:58.000000',
    description: 'With `caches`: when they have expired the former data, UTC.',
  })
  waits_until!: string | null;

  @ApiProperty({ enum: ALGORITHMS, nullable: true, example: 'ECDSAP256SHA256' })
  algorithm!: string | null;

  @ApiProperty({ enum: DENIALS, nullable: true, example: 'nsec' })
  denial!: string | null;

  @ApiProperty({ type: Boolean, nullable: true, example: true })
  single_key!: boolean | null;

  @ApiProperty({
    type: [String],
    example: ['55648 13 2 b4c8c1fe2e7477127b27115656ad6256f424625bf5c1e2770ce6d6e37df61d17'],
    description: 'What to set in the parent zone once the state is `ready`: one of them is enough.',
  })
  ds!: string[];

  @ApiProperty({ type: [DnssecKeyDto] })
  keys!: DnssecKeyDto[];

  @ApiProperty({ type: RolloverDto, nullable: true, description: 'The rollover that is under way.' })
  rollover!: RolloverDto | null;

  @ApiProperty({
    type: SeenParentDto,
    nullable: true,
    description: 'What was seen in the parent zone; `null`: nothing so far, or there is no way to look.',
  })
  parent!: SeenParentDto | null;

  @ApiNullableText({ example: '2026-12-04T08:29:58.000000', description: 'When the first signature is renewed, UTC.' })
  next_renewal!: string | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 1763627400, description: 'Under which it is published.' })
  published_serial!: number | null;

  @ApiNullableText({ example: null, description: 'The DNSKEY data of the KSK whose private key is elsewhere.' })
  offline_ksk!: string | null;

  @ApiNullableText({
    example: null,
    description: 'When the last signature of that KSK for the present keys expires, UTC; `null`: there is none.',
  })
  key_response_until!: string | null;
}

export function toRolloverRequest(body: CreateRolloverDto): RolloverRequest {
  const { key, algorithm, emergency = false, signer, dnskeys, ttl } = body;
  const isOfSigner = key === 'join' || key === 'leave';
  assertGoesWith('signer', signer, isOfSigner, '"key": "join" or "leave"');
  if (key !== 'ksk') assertGoesWith('dnskeys', dnskeys, key === 'join', '"key": "join" or "ksk"');
  if (key === 'ksk' && dnskeys !== undefined && (dnskeys.length !== 1 || emergency))
    throw ServiceError.ofField(
      'invalid_object',
      'dnskeys',
      'format',
      'dnskeys: with "key": "ksk", send one key and no "emergency".',
    );
  if (signer !== undefined && !SIGNER_NAME.test(signer)) {
    const message = 'signer: write a name of lower-case letters, digits, dots and hyphens.';
    throw ServiceError.ofField('invalid_object', 'signer', 'format', message);
  }
  if (isOfSigner && emergency)
    throw ServiceError.ofField(
      'invalid_object',
      'emergency',
      'enum',
      'emergency: goes with a key of this service only.',
    );
  if ((key === 'algorithm') !== (algorithm !== undefined))
    throw ServiceError.ofField(
      'invalid_object',
      'algorithm',
      'required',
      'Say to which algorithm the keys are to be rolled, with "key": "algorithm" and with no other.',
    );
  if (emergency && key === 'algorithm')
    throw ServiceError.ofField(
      'invalid_object',
      'emergency',
      'enum',
      'A rollover to another algorithm takes its time: roll the key that others may have first.',
    );
  const given = { dnskeys: dnskeys && rdatasIn(dnskeys), ...(isOfSigner && { signer, ttl }) };
  return { kind: key, algorithm: algorithmNumber(algorithm), isEmergency: emergency, ...given };
}

function assertGoesWith(field: string, value: unknown, isNeeded: boolean, others: string): void {
  if ((value !== undefined) === isNeeded) return;
  throw ServiceError.ofField(
    'invalid_object',
    field,
    'required',
    `${field}: is needed with ${others}, and with no other.`,
  );
}

function rdatasIn(dnskeys: readonly string[]): Uint8Array[] {
  if (dnskeys.length === 0 || dnskeys.length > MOST_KEYS)
    throw ServiceError.ofField('invalid_object', 'dnskeys', 'format', `dnskeys: send 1 to ${MOST_KEYS} keys.`);
  return dnskeys.map((text) => dnskeyIn('dnskeys', text));
}

export function toParentStatement({ ds, ttl = USUAL_DS_TTL }: ParentDto): ParentStatement {
  return { hasDs: ds === 'published', ttl };
}

export function toDnssecDto(dnssec: ZoneDnssec): DnssecDto {
  const { zone, signing, keys, rollover, nextRenewal } = dnssec;
  const wait = waitOf(dnssec);
  const offline = keys.find((key) => isOffline(key) && key.signsKeys === 1);
  const until = dnssec.response?.until ?? null;
  return {
    enabled: signing !== null,
    state: shownState(signing),
    waits_for: wait?.text ?? null,
    waits_on: wait?.event ?? null,
    waits_until: formatInstantOrNull(wait?.until ?? null),
    algorithm: signing === null ? null : signingAlgorithm(signing.algorithm).mnemonic,
    denial: signing?.denial ?? null,
    single_key: signing === null ? null : signing.isSingleKey === 1,
    ds: delegationSigners({ zone, keys }),
    keys: keys.map((key) => toKeyDto(key, dnssec)),
    rollover: rollover && toRolloverDto(rollover, keys),
    parent: dnssec.parent && toSeenParentDto(dnssec, dnssec.parent),
    next_renewal: nextRenewal === null ? null : formatInstant(nextRenewal * SECOND),
    published_serial: zone.publishedSerial,
    offline_ksk: offline === undefined ? null : CDNSKEY.toText(dnskeyOf(offline)),
    key_response_until: until === null ? null : formatInstant(until * SECOND),
  };
}

function toSeenParentDto({ zone, keys }: ZoneDnssec, { observation, seenAt }: StoredObservation): SeenParentDto {
  const ds = agreedDs(observation);
  return {
    ...{
      zone: observation.zone,
      hosted: observation.isHosted,
      ds: ds && [...ds],
      matches: isOursAtParent(zone.name, ds, keys),
    },
    ...{
      resolver: observation.resolver?.verdict ?? null,
      problem: observation.problem,
      seen_at: formatInstant(seenAt),
    },
    servers: observation.servers.map(toParentServerDto),
  };
}

export function toParentServerDto({ name, ds, ns = null, error }: ServerObservation): ParentServerDto {
  return { name, error, ds: ds && [...ds], ns: ns && [...ns] };
}

function toRolloverDto(rollover: ZoneRolloverEntity, keys: readonly ZoneKeyEntity[]): RolloverDto {
  const { id, kind, oldKeyId, newKeyId, isEmergency, step, stepSince } = rollover;
  const { algorithm = 0 } = keys.find((key) => key.id === newKeyId) ?? {};
  const other =
    kind === 'join' || kind === 'leave' ? keys.find((key) => key.id === (kind === 'join' ? newKeyId : oldKeyId)) : null;
  return {
    ...{
      id,
      key: kind,
      signer: other?.signer ?? null,
      algorithm: signingAlgorithm(algorithm).mnemonic,
      emergency: isEmergency === 1,
    },
    ...{ step, since: formatInstant(stepSince) },
  };
}

function toKeyDto(key: ZoneKeyEntity, { lifetimes, rollover }: ZoneDnssec): DnssecKeyDto {
  const { id, tag, role, algorithm, signer, isPublished, signsKeys, signsZone } = key;
  const dnskey = dnskeyOf(key);
  const { mnemonic } = signingAlgorithm(algorithm);
  // DNSKEY and CDNSKEY have one presentation format.
  return {
    ...{ id, tag, role, algorithm: mnemonic, flags: readDnskey(dnskey).flags, dnskey: CDNSKEY.toText(dnskey) },
    ...{
      signer,
      offline: isOffline(key),
      in_token: key.sealedWith === IN_TOKEN,
      published: isPublished === 1,
      signs_keys: signsKeys === 1,
      signs_zone: signsZone === 1,
    },
    rollover_at: formatInstantOrNull(rolloverAt(key, lifetimes, rollover)),
  };
}
