import type { Type } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { Exclude, Expose, plainToInstance, Transform, Type as TypeOf } from 'class-transformer';
import { IsArray, IsDefined, IsInt, IsOptional, IsString, Min, ValidateNested, validateSync } from 'class-validator';
import { DeclaredShape } from '../../src/http/bodies/declared-shape.js';
import { ChangeQuotaDto } from '../../src/quotas/admin/dto/quota.dto.js';
import {
  CreateEntryDto,
  DeleteEntryDto,
  ReplaceEntryDto,
  UpdateEntryDto,
} from '../../src/records/v1/dto/change-set.dto.js';
import { CreateRecordDto, UpdateRecordDto } from '../../src/records/v1/dto/record-request.dto.js';

const ID = '019aa5f4-9c1e-7b3a-8000-3f0c1f1a2b4d';
const RECORD = { name: 'www.example.org.', type: 'A', data: '192.0.2.1' };

/** Replacement values for a valid field. */
const ODD_VALUES = [
  null,
  '',
  'text',
  '\u0000',
  '\uD800',
  0,
  1,
  -1,
  1.5,
  2 ** 31,
  true,
  [],
  [[]],
  [1],
  [null],
  {},
  { a: 1 },
];

const VALID: readonly { readonly dto: Type<object>; readonly value: Readonly<Record<string, unknown>> }[] = [
  { dto: CreateRecordDto, value: { ...RECORD, priority: 1, ttl: 1, description: 'x', id: ID, version: 1 } },
  { dto: CreateRecordDto, value: { name: 'a.example.', type: 'TXT', fields: { text: ['a', { hexadecimal: 'ff' }] } } },
  { dto: CreateRecordDto, value: { ...RECORD, fields: { address: '192.0.2.1' } } },
  { dto: UpdateRecordDto, value: { fields: { parameters: [{ key: 'alpn', value: 'h2' }] } } },
  { dto: UpdateRecordDto, value: { data: '192.0.2.1', ttl: null } },
  { dto: CreateEntryDto, value: { action: 'create', record: RECORD } },
  { dto: UpdateEntryDto, value: { action: 'update', id: ID.replaceAll('-', '').toUpperCase(), record: { ttl: 5 } } },
  { dto: DeleteEntryDto, value: { action: 'delete', id: ID } },
  {
    dto: ReplaceEntryDto,
    value: { action: 'replace', name: 'a.example.', type: 'A', records: [{ data: '192.0.2.1' }] },
  },
  { dto: ReplaceEntryDto, value: { action: 'replace', name: 'a.example.', type: 'A', records: [] } },
  { dto: ChangeQuotaDto, value: { quota: { zones: 1 } } },
];

/** The same value with each of its fields in turn left out and replaced, and with one more; also one level deeper. */
function* spoilt(value: Readonly<Record<string, unknown>>): Generator<Readonly<Record<string, unknown>>> {
  yield value;
  yield { ...value, unknown: 1 };
  yield JSON.parse(`{"__proto__":{"a":1},${JSON.stringify(value).slice(1)}`) as Record<string, unknown>;
  yield { ...value, constructor: 1 };
  for (const [field, inner] of Object.entries(value)) {
    const { [field]: _, ...others } = value;
    yield others;
    for (const odd of ODD_VALUES) yield { ...value, [field]: odd };
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) continue;
    for (const worse of spoilt(inner as Record<string, unknown>)) yield { ...value, [field]: worse };
  }
}

/** The result of the two libraries for a value; `null`: rejected. */
function byLibraries(dto: Type<object>, value: object): object | null {
  const instance = plainToInstance(dto, value, { exposeUnsetFields: false });
  const errors = validateSync(instance, { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: false });
  return errors.length > 0 ? null : instance;
}

describe('4.1 a body that is as its DTO declares is read as class-transformer and class-validator would', () => {
  it.each(VALID)('$dto.name', ({ dto, value }) => {
    const shape = DeclaredShape.of(dto);
    expect(shape?.instanceOf(value)).toStrictEqual(byLibraries(dto, value));
    expect(shape?.instanceOf(value)).toBeInstanceOf(dto);
    for (const one of spoilt(value)) {
      const read = shape?.instanceOf(one);
      // Where it says nothing, the libraries are asked.
      if (read !== null) expect(read).toStrictEqual(byLibraries(dto, one));
    }
  });
});

describe('4.1 leaves a DTO with other decorators to those', () => {
  class Inner {
    @IsInt()
    count!: number;
  }
  class Renamed {
    @IsString()
    @Expose({ name: 'other' })
    text!: string;
  }
  class Hidden {
    @IsString()
    @Exclude()
    text!: string;
  }
  class Converted {
    @IsInt()
    @TypeOf(() => Number)
    count!: number;
  }
  class Chosen {
    @ValidateNested()
    @TypeOf((options) => (options?.object === undefined ? Object : Inner))
    inner!: Inner;
  }
  class Recursive {
    @IsOptional()
    @ValidateNested()
    @TypeOf(() => Recursive)
    inner?: Recursive;
  }
  class Defined {
    @IsDefined()
    text!: string;
  }
  class Now {
    @Min(1, { validateIf: () => false })
    count!: number;
  }
  class Grouped {
    @IsString()
    @Transform(({ value }: { value: unknown }) => value, { groups: ['a'] })
    text!: string;
  }

  it.each([Renamed, Hidden, Converted, Chosen, Recursive, Defined, Now, Grouped])('%p', (dto) => {
    expect(DeclaredShape.of<object>(dto)).toBeNull();
  });

  it('leaves untyped data to them only where it is long, deep or contains values that they would drop', () => {
    class Listing {
      @IsOptional()
      @IsArray()
      list?: unknown[];
    }
    expect(DeclaredShape.of(Listing)?.instanceOf({})).toBeInstanceOf(Listing);
    for (const list of [[], ['a', 1], [{}], [['a']], [{ a: [1] }]])
      expect(DeclaredShape.of(Listing)?.instanceOf({ list })).toEqual({ list });
    const refused = [[null], [[[[[1]]]]], [{ constructor: 1 }], Array.from({ length: 1001 }, () => 'a')];
    for (const list of refused) expect(DeclaredShape.of(Listing)?.instanceOf({ list })).toBeNull();
  });
});
