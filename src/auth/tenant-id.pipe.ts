import { Injectable, type PipeTransform } from '@nestjs/common';
import { isTenantId } from './tenant-id.js';
import { isText } from '../common/text.js';
import { ServiceError } from '../common/service-error.js';

/** Checks a tenant id in the path (behaviour 8.2). */
@Injectable()
export class TenantIdPipe implements PipeTransform<string, string> {
  transform(tenantId: string): string {
    if (isText(tenantId) && isTenantId(tenantId)) return tenantId;
    throw ServiceError.ofField('invalid_object', 'tenant_id', 'maxLength', 'A tenant id has 1 to 255 characters.');
  }
}
