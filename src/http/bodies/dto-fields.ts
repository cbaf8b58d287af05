import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ApiProperty, ApiPropertyOptional } from '../openapi/decorators.js';
import { IsIn, IsInt, IsObject, IsOptional, Max, MaxLength, Min, MinLength } from './class-validator.js';
import { IntegerParameter, IsInstant, IsText, IsTexts, MayBeAbsent } from './field-decorators.js';

/** Documentation of a property. The decorators below also validate it: `Optional…` allows absence, `Nullable…` also null. */
interface Documentation {
  readonly description?: string;
  readonly example?: unknown;
  readonly default?: unknown;
  readonly format?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
}

type TextDocumentation = Documentation & { readonly minLength?: number; readonly maxLength?: number };
type IntegerDocumentation = Documentation & { readonly minimum: number; readonly maximum: number };
type ChoiceDocumentation = Documentation & { readonly enum: readonly unknown[] };

export function TextField(documentation: TextDocumentation): PropertyDecorator {
  return applyDecorators(ApiProperty(documentation), ...textChecks(documentation));
}

export function OptionalText(documentation: TextDocumentation): PropertyDecorator {
  return optional(documentation, textChecks(documentation));
}

export function NullableText(documentation: TextDocumentation): PropertyDecorator {
  return nullable({ type: String, nullable: true, ...documentation }, textChecks(documentation));
}

export function OptionalTexts(documentation: Documentation): PropertyDecorator {
  return optional({ type: [String], ...documentation }, [IsTexts()]);
}

export function NullableTexts(documentation: Documentation): PropertyDecorator {
  return nullable({ type: [String], nullable: true, ...documentation }, [IsTexts()]);
}

export const LABELS = { type: 'object', additionalProperties: { type: 'string' }, example: { team: 'web' } } as const;

/** `readLabels` names the faulty label. */
export function OptionalLabels(description: string): PropertyDecorator {
  return optional({ ...LABELS, description }, [IsObject()]);
}

export function RequiredLabels(description: string): PropertyDecorator {
  return applyDecorators(ApiProperty({ ...LABELS, description }), IsObject());
}

export function ShownLabels(): PropertyDecorator {
  return ApiPropertyOptional({ ...LABELS, description: 'Left out where there are none.' });
}

/** Of a query, in which the parameter may stand several times. */
export function LabelFilters(what: string): PropertyDecorator {
  const description = `Only ${what} with this label: \`key\` or \`key=value\`. Several must all hold.`;
  return applyDecorators(
    ApiPropertyOptional({ type: [String], example: ['team=web'], description }),
    MayBeAbsent(),
    IsTexts(),
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? [value] : value)),
  );
}

export function OptionalInstant(documentation: Documentation): PropertyDecorator {
  return optional(documentation, [IsInstant()]);
}

export function NullableInstant(documentation: Documentation): PropertyDecorator {
  return nullable({ type: String, nullable: true, ...documentation }, [IsInstant()]);
}

export function ChoiceField(documentation: ChoiceDocumentation): PropertyDecorator {
  return applyDecorators(ApiProperty(documentation), IsIn(documentation.enum));
}

export function OptionalChoice(documentation: ChoiceDocumentation): PropertyDecorator {
  return optional(documentation, [IsIn(documentation.enum)]);
}

export function NullableChoice(documentation: ChoiceDocumentation): PropertyDecorator {
  return nullable({ nullable: true, ...documentation }, [IsIn(documentation.enum)]);
}

export function OptionalInteger(documentation: IntegerDocumentation): PropertyDecorator {
  return optional({ type: 'integer', ...documentation }, integerChecks(documentation));
}

export function NullableInteger(documentation: IntegerDocumentation): PropertyDecorator {
  return nullable({ type: 'integer', nullable: true, ...documentation }, integerChecks(documentation));
}

/** Of a query, which has only texts. */
export function OptionalIntegerParameter(documentation: IntegerDocumentation): PropertyDecorator {
  const { minimum, maximum } = documentation;
  return optional({ type: 'integer', ...documentation }, [IntegerParameter(minimum, maximum)]);
}

type Options = Parameters<typeof ApiPropertyOptional>[0];

function optional(documentation: Options, checks: readonly PropertyDecorator[]): PropertyDecorator {
  return applyDecorators(ApiPropertyOptional(documentation), MayBeAbsent(), ...checks);
}

function nullable(documentation: Options, checks: readonly PropertyDecorator[]): PropertyDecorator {
  return applyDecorators(ApiPropertyOptional(documentation), IsOptional(), ...checks);
}

/** class-validator reports the first failing check: the type before the length. */
function textChecks({ minLength, maxLength }: TextDocumentation): PropertyDecorator[] {
  const min = minLength === undefined ? [] : [MinLength(minLength)];
  return [IsText(), ...min, ...(maxLength === undefined ? [] : [MaxLength(maxLength)])];
}

function integerChecks({ minimum, maximum }: IntegerDocumentation): PropertyDecorator[] {
  return [IsInt(), Min(minimum), Max(maximum)];
}
