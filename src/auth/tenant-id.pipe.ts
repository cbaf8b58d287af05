import { Injectable, type PipeTransform } from '@nestjs/common';
import { isTenantId } from './tenant-id.js';
import { isText } from '../common/json.js';
import { ServiceError } from '../common/service-error.js';
import { ValidateBy } from '../http/bodies/class-validator.js';

@Injectable()
export class TenantIdPipe implements PipeTransform<string, string> {
  transform(tenantId: string): string {
    assertTenantId(tenantId);
    return tenantId;
  }
}

/** For callers whose permissions must be checked first (behaviour 3.4). @throws ServiceError `invalid_object` */
export function assertTenantId(tenantId: string): void {
  if (isText(tenantId) && isTenantId(tenantId)) return;
  throw ServiceError.ofField('invalid_object', 'tenant_id', 'maxLength', 'A tenant id has 1 to 255 characters.');
}

/** Accepts tenant ids, also unknown ones. */
export function IsTenantId(): PropertyDecorator {
  return ValidateBy({
    name: 'isTenantId',
    validator: {
      validate: (value: unknown) => isText(value) && isTenantId(value),
      defaultMessage: (args) => `${args?.property ?? ''} is the id of a project: 1 to 255 characters`,
    },
  });
}
