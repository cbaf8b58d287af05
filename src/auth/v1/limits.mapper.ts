import { OptionalTexts } from '../../http/bodies/dto-fields.js';
import { ApiProperty } from '../../http/openapi/decorators.js';
import type { RequestedRestrictions } from '../scopes/token-scope.js';

const LIST = { minItems: 1, maxItems: 100 };
const SHOWN = { type: [String] as [StringConstructor], nullable: true };

export class LimitsDto {
  @OptionalTexts({ ...LIST, example: ['example.org.'], description: 'It sees no others.' })
  domains?: string[];

  @OptionalTexts({
    ...LIST,
    example: ['_acme-challenge.*'],
    description: 'Owner names; `*` stands for any characters.',
  })
  names?: string[];

  @OptionalTexts({ ...LIST, example: ['TXT'] })
  types?: string[];

  @OptionalTexts({ ...LIST, example: ['create', 'delete'], description: 'Of `create`, `update` and `delete`.' })
  actions?: string[];

  @OptionalTexts({
    ...LIST,
    example: ['192.0.2.0/24'],
    description: 'Addresses and networks from which it may be used.',
  })
  networks?: string[];
}

export class TokenLimitsDto {
  @ApiProperty({ ...SHOWN, example: ['example.org.'], description: 'Null: all.' })
  domains!: readonly string[] | null;

  @ApiProperty({ ...SHOWN, example: ['_acme-challenge.*'], description: 'Null: all.' })
  names!: readonly string[] | null;

  @ApiProperty({ ...SHOWN, example: ['TXT'], description: 'Null: all.' })
  types!: readonly string[] | null;

  @ApiProperty({ ...SHOWN, example: ['create', 'delete'], description: 'Null: all.' })
  actions!: readonly string[] | null;

  @ApiProperty({ ...SHOWN, example: ['192.0.2.0/24'], description: 'Null: from anywhere.' })
  networks!: readonly string[] | null;
}

export function toAskedRestrictions({ domains, names, types, actions, networks }: LimitsDto): RequestedRestrictions {
  return { domains, names, types, actions, networks };
}
