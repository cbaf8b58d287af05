import { Injectable, type PipeTransform } from '@nestjs/common';
import { isTenantId } from './tenant-id.js';
import { isText } from '../common/text.js';
import { ServiceError } from '../common/service-error.js';

/** Checks a tenant id in the path (behaviour 8.2). */
@Injectable()
export class TenantIdPipe implements PipeTransform<string, string> {
  transform(tenantId: string): string {
    assertTenantId(tenantId);
    return tenantId;
  }
}

/**
 * The same where the caller may not learn of it before it is known what it may do (behaviour 3.4).
 * @throws ServiceError `invalid_object`
 */
export function assertTenantId(tenantId: string): void {
  if (isText(tenantId) && isTenantId(tenantId)) return;
  throw ServiceError.ofField('invalid_object', 'tenant_id', 'maxLength', 'A tenant id has 1 to 255 characters.');
}
