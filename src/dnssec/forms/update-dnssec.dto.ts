import { applyDecorators } from '@nestjs/common';
import { NullableChoice, NullableText } from '../../http/bodies/dto-fields.js';
import { Allow, IsBoolean, IsOptional } from '../../http/bodies/class-validator.js';
import { SIGNING_ALGORITHMS } from '../../dns/dnssec/algorithms.js';
import { readField, ServiceError } from '../../common/service-error.js';
import { readDnskey } from '../../dns/dnssec/dnskey.js';
import { CDNSKEY } from '../../dns/rdata/dnssec.js';
import { RdataError } from '../../dns/rdata/rdata-error.js';
import { ApiProperty, ApiPropertyOptional } from '../../http/openapi/decorators.js';
import type { EnableRequest } from '../dnssec.service.js';

export const ALGORITHMS = SIGNING_ALGORITHMS.map(({ mnemonic }) => mnemonic);
export const DENIALS = ['nsec', 'nsec3'] as const;

function Ignored(type: Parameters<typeof ApiPropertyOptional>[0]): PropertyDecorator {
  const documented = ApiPropertyOptional({ ...type, readOnly: true, nullable: true, description: 'Ignored.' });
  return applyDecorators(documented, Allow());
}

/** Response fields that a client may send back; the service ignores them (behaviour 1.15). */
class ReadOnlyDnssecFields {
  @Ignored({ type: String })
  waits_for?: unknown;

  @Ignored({ type: String })
  waits_on?: unknown;

  @Ignored({ type: String })
  waits_until?: unknown;

  @Ignored({ type: [String] })
  ds?: unknown;

  @Ignored({ type: 'array', items: { type: 'object' } })
  keys?: unknown;

  @Ignored({ type: 'object', additionalProperties: true })
  rollover?: unknown;

  @Ignored({ type: 'object', additionalProperties: true })
  parent?: unknown;

  @Ignored({ type: String })
  next_renewal?: unknown;

  @Ignored({ type: 'integer' })
  published_serial?: unknown;

  @Ignored({ type: String })
  key_response_until?: unknown;
}

/** An absent field and null keep the present value, or take the configured one. */
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

  @NullableChoice({
    enum: ALGORITHMS,
    example: 'ECDSAP256SHA256',
    description: 'Of its keys; `RSASHA512` only where it is so already.',
  })
  algorithm?: string | null;

  @NullableChoice({
    enum: DENIALS,
    example: 'nsec',
    description: 'How it is proven that a name is not there; `nsec3` does not show the names that there are.',
  })
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

  @NullableText({
    maxLength: 2000,
    example: null,
    description:
      'The DNSKEY data of a KSK whose private key stays elsewhere. The domain is signed when a signed key response has come.',
  })
  offline_ksk?: string | null;
}

export function toSigningRequest({
  algorithm,
  denial,
  single_key,
  offline_ksk,
  state,
}: UpdateDnssecDto): EnableRequest {
  const offlineKsk = typeof offline_ksk === 'string' ? kskIn(offline_ksk) : undefined;
  if (offlineKsk !== undefined && single_key === true)
    throw ServiceError.ofField('invalid_object', 'single_key', 'enum', 'single_key: an offline KSK needs a ZSK too.');
  return {
    offlineKsk,
    algorithm: algorithmNumber(algorithm ?? undefined),
    denial: denial ?? undefined,
    isSingleKey: single_key ?? undefined,
    staysLeaving: state === 'leaving',
  };
}

function kskIn(text: string): Uint8Array {
  const dnskey = dnskeyIn('offline_ksk', text);
  const { algorithm } = readDnskey(dnskey);
  if (SIGNING_ALGORITHMS.some(({ number }) => number === algorithm)) return dnskey;
  const message = `offline_ksk: the algorithm ${algorithm} is not supported; it is one of ${ALGORITHMS.join(', ')}.`;
  throw ServiceError.ofField('invalid_object', 'offline_ksk', 'enum', message);
}

/** DNSKEY RDATA. @throws ServiceError `invalid_object` */
export function dnskeyIn(field: string, text: string): Uint8Array {
  // DNSKEY and CDNSKEY have one presentation format.
  return readField(field, RdataError, () => CDNSKEY.parse(text, null));
}

export function algorithmNumber(mnemonic: string | undefined): number | undefined {
  return SIGNING_ALGORITHMS.find((algorithm) => algorithm.mnemonic === mnemonic)?.number;
}
