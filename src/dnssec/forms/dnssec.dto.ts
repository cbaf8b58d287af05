import { IsBoolean, IsIn, IsInt, Max, Min } from '../../http/bodies/class-validator.js';
import { formatInstant } from '../../common/clock.js';
import { SIGNING_ALGORITHMS, signingAlgorithm } from '../../dns/dnssec/algorithms.js';
import { readDnskey } from '../../dns/dnssec/dnskey.js';
import { CDNSKEY } from '../../dns/rdata/cdnskey.js';
import { MayBeAbsent } from '../../http/bodies/may-be-absent.decorator.js';
import { ApiProperty, ApiPropertyOptional } from '../../http/openapi/decorators.js';
import type { SigningWish, ZoneDnssec } from '../dnssec.service.js';
import { dnskeyOf } from '../keys/zone-keys.js';
import type { ZoneKeyEntity } from '../keys/zone-key.entity.js';
import type { ParentStatement } from '../parent-statements.js';
import type { ZoneRolloverEntity } from '../rollovers/zone-rollover.entity.js';
import { delegationSigners, shownState, waitsFor } from '../zone-dnssec.js';

const ALGORITHMS = SIGNING_ALGORITHMS.map(({ mnemonic }) => mnemonic);
const KINDS = ['csk', 'ksk', 'zsk'] as const;
const DENIALS = ['nsec', 'nsec3'] as const;
const SECONDS = 1_000_000;
/** Of a DS, where nobody says it; many top-level domains have this one. */
const USUAL_TTL = 86_400;
const LONGEST_TTL = 604_800;

export class UpdateDnssecDto {
  @ApiProperty({ example: true, description: 'Whether the domain is signed.' })
  @IsBoolean()
  enabled!: boolean;

  @ApiPropertyOptional({ enum: ALGORITHMS, example: 'ECDSAP256SHA256', description: 'Of its keys.' })
  @MayBeAbsent()
  @IsIn(ALGORITHMS)
  algorithm?: string;

  @ApiPropertyOptional({
    enum: DENIALS,
    example: 'nsec',
    description: 'How it is proven that a name is not there; `nsec3` does not show the names that there are.',
  })
  @MayBeAbsent()
  @IsIn(DENIALS)
  denial?: (typeof DENIALS)[number];

  @ApiPropertyOptional({ example: true, description: 'One key for all, or one for the keys and one for the rest.' })
  @MayBeAbsent()
  @IsBoolean()
  single_key?: boolean;
}

export class ParentDto {
  @ApiProperty({ enum: ['published', 'removed'], example: 'published' })
  @IsIn(['published', 'removed'])
  ds!: 'published' | 'removed';

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: LONGEST_TTL,
    default: USUAL_TTL,
    example: USUAL_TTL,
    description: 'The ttl that the DS had in the parent zone, in seconds.',
  })
  @MayBeAbsent()
  @Max(LONGEST_TTL)
  @Min(1)
  @IsInt()
  ttl?: number;
}

class DnssecKeyDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 12_345, description: 'The key tag.' })
  tag!: number;

  @ApiProperty({ enum: ['csk', 'ksk', 'zsk'], example: 'csk', description: 'What it signs: all, the keys, the rest.' })
  role!: string;

  @ApiProperty({ enum: ALGORITHMS, example: 'ECDSAP256SHA256' })
  algorithm!: string;

  @ApiProperty({ example: 257, description: 'The flags of its DNSKEY record.' })
  flags!: number;

  @ApiProperty({
    example: '257 3 13 GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edbkrSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA==',
  })
  dnskey!: string;

  @ApiProperty({ example: true, description: 'Whether it is in the DNSKEY set.' })
  published!: boolean;

  @ApiProperty({ example: true, description: 'Whether it signs the keys.' })
  signs_keys!: boolean;

  @ApiProperty({ example: true, description: 'Whether it signs all else.' })
  signs_zone!: boolean;
}

class RolloverDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ enum: KINDS, example: 'csk' })
  key!: string;

  @ApiProperty({ enum: ['publish', 'swap', 'remove'], example: 'publish', description: 'What was done last.' })
  step!: string;

  @ApiProperty({ example: '2026-11-23T08:29:58.000000', description: 'When that was, UTC.' })
  since!: string;
}

export class CreateRolloverDto {
  @ApiProperty({ enum: KINDS, example: 'csk', description: 'Which key another one takes the place of.' })
  @IsIn(KINDS)
  key!: (typeof KINDS)[number];
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

  @ApiProperty({ type: String, nullable: true, example: null, description: 'What is waited for, in words.' })
  waits_for!: string | null;

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
    type: String,
    nullable: true,
    example: '2026-12-04T08:29:58.000000',
    description: 'When the first signature is renewed, UTC.',
  })
  next_renewal!: string | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 1763627400, description: 'Under which it is published.' })
  published_serial!: number | null;
}

export function toSigningWish({ algorithm, denial, single_key }: UpdateDnssecDto): SigningWish {
  const known = SIGNING_ALGORITHMS.find(({ mnemonic }) => mnemonic === algorithm);
  return { algorithm: known?.number, denial, isSingleKey: single_key };
}

export function toParentStatement({ ds, ttl = USUAL_TTL }: ParentDto): ParentStatement {
  return { hasDs: ds === 'published', ttl };
}

export function toDnssecDto(dnssec: ZoneDnssec): DnssecDto {
  const { zone, signing, keys, rollover, nextRenewal } = dnssec;
  return {
    enabled: signing !== null,
    state: shownState(signing),
    waits_for: waitsFor(dnssec),
    algorithm: signing === null ? null : signingAlgorithm(signing.algorithm).mnemonic,
    denial: signing?.denial ?? null,
    single_key: signing === null ? null : signing.isSingleKey === 1,
    ds: delegationSigners({ zone, keys }),
    keys: keys.map(toKeyDto),
    rollover: rollover && toRolloverDto(rollover),
    next_renewal: nextRenewal === null ? null : formatInstant(nextRenewal * SECONDS),
    published_serial: zone.publishedSerial,
  };
}

function toRolloverDto({ id, kind, step, stepSince }: ZoneRolloverEntity): RolloverDto {
  return { id, key: kind, step, since: formatInstant(stepSince) };
}

function toKeyDto(key: ZoneKeyEntity): DnssecKeyDto {
  const { id, tag, role, algorithm, isPublished, signsKeys, signsZone } = key;
  const dnskey = dnskeyOf(key);
  const { mnemonic } = signingAlgorithm(algorithm);
  // DNSKEY and CDNSKEY are written in the same way.
  return {
    ...{ id, tag, role, algorithm: mnemonic, flags: readDnskey(dnskey).flags, dnskey: CDNSKEY.toText(dnskey) },
    ...{ published: isPublished === 1, signs_keys: signsKeys === 1, signs_zone: signsZone === 1 },
  };
}
