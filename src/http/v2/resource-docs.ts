import { applyDecorators, type Type } from '@nestjs/common';
import type { ErrorCode } from '../../common/service-error.js';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiResponse } from '../openapi/decorators.js';
import { ApiV2Body, ApiV2Collection, ApiV2Id, V2_LOCATION } from './api-docs.js';
import type { CollectionRules } from './collection-query.js';

/** Objects of one kind that are made, changed and removed one at a time, as the API document speaks of them. */
export interface DescribedResource {
  /** `a TLD` */
  readonly one: string;
  /** `TLDs` */
  readonly many: string;
  /** The parameter of the path. */
  readonly id: string;
  readonly dto: Type;
  readonly listDto: Type;
  readonly rules: CollectionRules;
  readonly notFound: ErrorCode;
}

export interface ResourceDocs {
  list(): MethodDecorator;
  get(): MethodDecorator;
  create(...codes: ErrorCode[]): MethodDecorator;
  /** @param status of the answer */
  update(status: number, ...codes: ErrorCode[]): MethodDecorator;
  delete(...codes: ErrorCode[]): MethodDecorator;
}

/** The descriptions of their operations. */
export function describeResource(resource: DescribedResource): ResourceDocs {
  const { one, many, id, dto, listDto, rules, notFound } = resource;
  return {
    list: () =>
      applyDecorators(
        ApiOperation({ summary: `List ${many}` }),
        ApiOkResponse({ type: listDto }),
        ApiV2Collection(rules),
      ),
    get: () =>
      applyDecorators(ApiOperation({ summary: `Get ${one}` }), ApiV2Id(id, notFound), ApiOkResponse({ type: dto })),
    create: (...codes) =>
      applyDecorators(
        ApiOperation({ summary: `Create ${one}` }),
        ApiResponse({ status: 201, type: dto, headers: V2_LOCATION }),
        ApiV2Body(...codes),
      ),
    update: (status, ...codes) =>
      applyDecorators(
        ApiOperation({ summary: `Change ${one}`, description: 'Fields that are left out keep their values.' }),
        ApiV2Id(id, notFound),
        ApiResponse({ status, type: dto }),
        ApiV2Body(...codes),
      ),
    delete: (...codes) =>
      applyDecorators(
        ApiOperation({ summary: `Delete ${one}` }),
        ApiV2Id(id, notFound, ...codes),
        ApiNoContentResponse({ description: 'It is gone.' }),
      ),
  };
}
