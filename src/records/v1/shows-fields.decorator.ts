import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ServiceError } from '../../common/service-error.js';
import { ApiQuery } from '../../http/openapi/decorators.js';
import type { ApiRequest } from '../../http/request.js';

export const SHOWS_FIELDS = 'Show the data of each record in `fields` too.';

/** Injects whether records are to be shown with the fields of their data (behaviour 4.7). */
export const ShowsFields = createParamDecorator((_: unknown, context: ExecutionContext): boolean => {
  const { fields = 'false' } = context.switchToHttp().getRequest<ApiRequest>().query;
  if (fields === 'true' || fields === 'false') return fields === 'true';
  throw ServiceError.ofField('invalid_object', 'fields', 'enum', 'fields is true or false.');
});

/** Documents what `ShowsFields` reads. */
export const ApiShowsFields = (): MethodDecorator =>
  ApiQuery({ name: 'fields', type: Boolean, required: false, description: SHOWS_FIELDS });
