import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { readField, ServiceError } from '../../common/service-error.js';
import { NameError } from '../../dns/name.js';
import { parseOwnerName } from '../../dns/owner-name.js';
import { ApiQuery } from '../../http/openapi/decorators.js';
import type { ApiRequest } from '../../http/request.js';
import type { BooleanParameter } from '../../http/bodies/field-decorators.js';

export const SHOWS_FIELDS = 'Show the data of each record in `fields` too.';

/** Injects whether to show records with the fields of their data (behaviour 4.7). */
export const ShowsFields = createParamDecorator((_: unknown, context: ExecutionContext): boolean => {
  const { fields = 'false' } = context.switchToHttp().getRequest<ApiRequest>().query;
  if (fields === 'true' || fields === 'false') return fields === 'true';
  throw ServiceError.ofField('invalid_object', 'fields', 'enum', 'fields is true or false.');
});

export const ApiShowsFields = (): MethodDecorator =>
  ApiQuery({ name: 'fields', type: Boolean, required: false, description: SHOWS_FIELDS });

/** @throws ServiceError `invalid_object` for an invalid owner name */
export function ownerKeyOf(name: string): string {
  return readField('name', NameError, () => parseOwnerName(name).key);
}

export const FINDS = 'With `dry_run=true`: list what the check of the domain would find then, and does not find now.';

export function asksForFindings(findings: BooleanParameter = 'false', dryRun: BooleanParameter = 'false'): boolean {
  if (findings === 'true' && dryRun !== 'true')
    throw ServiceError.ofField(
      'invalid_object',
      'dry_run',
      'required',
      'findings are those of a dry run: send dry_run=true with it.',
    );
  return findings === 'true';
}
