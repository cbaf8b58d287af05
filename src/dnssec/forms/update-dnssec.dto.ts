import { Allow, IsBoolean, IsIn, IsOptional } from '../../http/bodies/class-validator.js';
import { SIGNING_ALGORITHMS } from '../../dns/dnssec/algorithms.js';
import { ApiProperty, ApiPropertyOptional } from '../../http/openapi/decorators.js';
import type { SigningRequest } from '../dnssec.service.js';

export const ALGORITHMS = SIGNING_ALGORITHMS.map(({ mnemonic }) => mnemonic);
export const DENIALS = ['nsec', 'nsec3'] as const;

const IGNORED = { readOnly: true, nullable: true, description: 'Ignored.' } as const;

/** Fields of an answer that a client may send back, and whose values are ignored (behaviour 1.15). */
class ReadOnlyDnssecFields {
  @ApiPropertyOptional({ type: String, ...IGNORED })
  @Allow()
  waits_for?: unknown;

  @ApiPropertyOptional({ type: [String], ...IGNORED })
  @Allow()
  ds?: unknown;

  @ApiPropertyOptional({ type: 'array', items: { type: 'object' }, ...IGNORED })
  @Allow()
  keys?: unknown;

  @ApiPropertyOptional({ type: 'object', additionalProperties: true, ...IGNORED })
  @Allow()
  rollover?: unknown;

  @ApiPropertyOptional({ type: 'object', additionalProperties: true, ...IGNORED })
  @Allow()
  parent?: unknown;

  @ApiPropertyOptional({ type: String, ...IGNORED })
  @Allow()
  next_renewal?: unknown;

  @ApiPropertyOptional({ type: 'integer', ...IGNORED })
  @Allow()
  published_serial?: unknown;
}

/** An absent field is as the configuration says or as it is already, and so is null, which a domain without signatures shows. */
export class UpdateDnssecDto extends ReadOnlyDnssecFields {
  @ApiProperty({ example: true, description: 'Whether the domain is signed.' })
  @IsBoolean()
  enabled!: boolean;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    example: null,
    description: 'As it was read: with `leaving`, `enabled` does not lead back. Otherwise it is ignored.',
  })
  @Allow()
  state?: unknown;

  @ApiPropertyOptional({ enum: ALGORITHMS, nullable: true, example: 'ECDSAP256SHA256', description: 'Of its keys.' })
  @IsOptional()
  @IsIn(ALGORITHMS)
  algorithm?: string | null;

  @ApiPropertyOptional({
    enum: DENIALS,
    nullable: true,
    example: 'nsec',
    description: 'How it is proven that a name is not there; `nsec3` does not show the names that there are.',
  })
  @IsOptional()
  @IsIn(DENIALS)
  denial?: (typeof DENIALS)[number] | null;

  @ApiPropertyOptional({
    type: Boolean,
    nullable: true,
    example: true,
    description: 'One key for all, or one for the keys and one for the rest.',
  })
  @IsOptional()
  @IsBoolean()
  single_key?: boolean | null;
}

export function toSigningRequest({ algorithm, denial, single_key, state }: UpdateDnssecDto): SigningRequest {
  return {
    algorithm: algorithmNumber(algorithm ?? undefined),
    denial: denial ?? undefined,
    isSingleKey: single_key ?? undefined,
    staysLeaving: state === 'leaving',
  };
}

export function algorithmNumber(mnemonic: string | undefined): number | undefined {
  return SIGNING_ALGORITHMS.find((algorithm) => algorithm.mnemonic === mnemonic)?.number;
}
