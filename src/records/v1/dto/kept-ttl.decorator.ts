import { applyDecorators } from '@nestjs/common';
import { IsOptional } from '../../../http/bodies/class-validator.js';
import { ApiPropertyOptional } from '../../../http/openapi/decorators.js';
import { ANY_TTL, IsTtl } from '../../../zones/v1/ttl.mapper.js';

/** The ttl of a record that may be left out, and may be there already. */
export function KeptTtl(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      ...ANY_TTL,
      nullable: true,
      description: 'Seconds; null: the ttl of the domain; 0 where the record has that already.',
    }),
    IsOptional(),
    IsTtl(),
  );
}
