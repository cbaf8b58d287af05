import { applyDecorators, type Type } from '@nestjs/common';
import type { ApiBodyOptions, ApiOperationOptions, ApiResponseOptions } from '@nestjs/swagger';
import {
  ApiBody,
  ApiConsumes,
  ApiExtraModels,
  ApiOperation,
  ApiProduces,
  ApiQuery,
  ApiResponse,
} from './decorators.js';

export interface OperationDescription {
  /** Default: derived from method and path. */
  readonly id?: string;
  readonly summary: string;
  readonly description?: string;
  readonly callbacks?: ApiOperationOptions['callbacks'];
  readonly query?: Type;
  readonly requestBody?: ApiBodyOptions;
  readonly consumes?: string;
  /** Media type of the response, if not JSON. */
  readonly produces?: string;
  /** Successful responses. A DTO means status 200 with that body. */
  readonly response: Type | ApiResponseOptions | readonly ApiResponseOptions[];
  readonly models?: readonly Type[];
}

export const OPTIONAL_BODY: ApiBodyOptions = {
  schema: { type: 'object' },
  required: false,
  description: 'None is needed.',
};

interface InterfaceParts {
  readonly parameters: readonly MethodDecorator[];
  readonly errors: readonly MethodDecorator[];
}

/** The documents list parameters and errors in the order of these decorators. */
export function describeOperation(
  { id, summary, description, callbacks, ...other }: OperationDescription,
  { parameters, errors }: InterfaceParts,
): MethodDecorator {
  const { query, requestBody, consumes, produces, models = [] } = other;
  return applyDecorators(
    ApiOperation({
      summary,
      ...(id === undefined ? {} : { operationId: id }),
      ...(description === undefined ? {} : { description }),
      ...(callbacks === undefined ? {} : { callbacks }),
    }),
    ...(consumes === undefined ? [] : [ApiConsumes(consumes)]),
    ...(produces === undefined ? [] : [ApiProduces(produces)]),
    ...parameters,
    ...(query === undefined ? [] : [ApiQuery({ type: query })]),
    ...(requestBody === undefined ? [] : [ApiBody(requestBody)]),
    ...errors,
    ...(models.length === 0 ? [] : [ApiExtraModels(...models)]),
    ...responsesOf(other.response).map((response) => ApiResponse(response)),
  );
}

function responsesOf(response: OperationDescription['response']): ApiResponseOptions[] {
  const all = Array.isArray(response) ? (response as readonly ApiResponseOptions[]) : [response];
  return all.map((one) => (typeof one === 'function' ? { status: 200, type: one } : { status: 200, ...one }));
}
