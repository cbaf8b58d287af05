import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { validateSync, ValidateNested } from 'class-validator';
import fc from 'fast-check';
import { CreateDomainDto } from '../../zones/v1/dto/create-domain.dto.js';
import { UpdateDomainDto } from '../../zones/v1/dto/update-domain.dto.js';
import { CreateRecordDto } from '../../records/v1/dto/create-record.dto.js';
import { ListRecordsQueryDto } from '../../records/v1/dto/list-records-query.dto.js';
import { UpdateRecordDto } from '../../records/v1/dto/update-record.dto.js';
import { acceptanceOf } from './acceptance.js';

const FIELDS = ['id', 'name', 'type', 'data', 'priority', 'ttl', 'description', 'email', 'limit', 'marker', 'version'];
const value = fc.oneof(
  fc.constantFrom<unknown>('a.example.org.', 'A', '20', 1, 300, null, undefined, 'x'.repeat(200), '\0', '\ud800'),
  fc.constant('019aa5f4-9c1e-7b3a-8000-3f0c1f1a2b4d'),
  fc.constant('admin@example.org'),
  fc.integer(),
  fc.string(),
  fc.anything(),
);
const body = fc.dictionary(fc.constantFrom(...FIELDS, 'stray'), value, { noNullPrototype: true });

describe('the looked-up acceptance of a DTO', () => {
  it.each([CreateRecordDto, UpdateRecordDto, ListRecordsQueryDto, CreateDomainDto, UpdateDomainDto])(
    'is the verdict of class-validator: %p',
    (dto) => {
      const accepts = acceptanceOf(dto);
      fc.assert(
        fc.property(body, (plain) => {
          const instance = plainToInstance<object, object>(dto, plain, { exposeUnsetFields: false });
          const options = {
            whitelist: true,
            forbidNonWhitelisted: true,
            forbidUnknownValues: false,
            stopAtFirstError: true,
          };
          expect(accepts(instance)).toBe(validateSync(instance, options).length === 0);
        }),
        { numRuns: 2000 },
      );
    },
  );

  it('leaves what it does not understand to class-validator', () => {
    class Outer {
      @ValidateNested()
      inner!: object;
    }
    expect(acceptanceOf(Outer)(new Outer())).toBe(false);
  });
});
