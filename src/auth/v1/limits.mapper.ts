import { IsTexts } from '../../http/bodies/is-texts.decorator.js';
import { MayBeAbsent } from '../../http/bodies/may-be-absent.decorator.js';
import { ApiProperty, ApiPropertyOptional } from '../../http/openapi/decorators.js';
import type { RequestedRestrictions } from '../scopes/token-scope.js';

const LIST = { type: [String] as [StringConstructor], minItems: 1, maxItems: 100 };
const SHOWN = { type: [String] as [StringConstructor], nullable: true };

/** What whoever makes a token or a key limits it to. */
export class LimitsDto {
  @ApiPropertyOptional({ ...LIST, example: ['example.org.'], description: 'It sees no others.' })
  @MayBeAbsent()
  @IsTexts()
  domains?: string[];

  @ApiPropertyOptional({
    ...LIST,
    example: ['_acme-challenge.*'],
    description: 'Owner names; `*` stands for any characters.',
  })
  @MayBeAbsent()
  @IsTexts()
  names?: string[];

  @ApiPropertyOptional({ ...LIST, example: ['TXT'] })
  @MayBeAbsent()
  @IsTexts()
  types?: string[];

  @ApiPropertyOptional({ ...LIST, example: ['create', 'delete'], description: 'Of `create`, `update` and `delete`.' })
  @MayBeAbsent()
  @IsTexts()
  actions?: string[];

  @ApiPropertyOptional({
    ...LIST,
    example: ['192.0.2.0/24'],
    description: 'Addresses and networks from which it may be used.',
  })
  @MayBeAbsent()
  @IsTexts()
  networks?: string[];
}

/** What a credential is limited to. */
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
