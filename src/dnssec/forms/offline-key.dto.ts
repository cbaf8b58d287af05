import { OptionalIntegerParameter, TextField } from '../../http/bodies/dto-fields.js';
import { MOST_DAYS, USUAL_DAYS } from '../keys/offline-keys.service.js';
import { ApiProperty } from '../../http/openapi/decorators.js';

/** Half a year of signatures by RSA keys of 4096 bits. */
const MOST_OCTETS = 1_000_000;

export class KeyRequestQueryDto {
  @OptionalIntegerParameter({
    minimum: 1,
    maximum: MOST_DAYS,
    description: `How long the signatures shall last from now on; ${USUAL_DAYS} without it.`,
  })
  days?: number;
}

export class KeyRequestDto {
  @ApiProperty({
    example: ';; KeySigningRequest 1.0 1764500000 ===========\n…',
    description:
      'The key signing request, as `keymgr` of Knot, `dnssec-ksr` of BIND and `zonewright dnssec sign-ksr` read it.',
  })
  request!: string;
}

export class KeyResponseDto {
  @TextField({
    maxLength: MOST_OCTETS,
    example: ';; SignedKeyResponse 1.0 1764500000 ===========\n…',
    description: 'The signed key response to a request of this domain.',
  })
  response!: string;
}
