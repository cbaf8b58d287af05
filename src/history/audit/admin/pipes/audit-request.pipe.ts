import { Injectable, type PipeTransform } from '@nestjs/common';
import { readInstant } from '../../../../common/clock.js';
import { readField } from '../../../../common/service-error.js';
import { NameError } from '../../../../dns/name.js';
import { parseZoneName } from '../../../../dns/owner-name.js';
import { cursorOfMarker } from '../../../../zones/journal/time-cursor.js';
import { actionsNamed } from '../../audit-entry.js';
import type { AuditRequest } from '../../audit.service.js';
import type { AuditQueryDto } from '../dto/audit.dto.js';

export interface AuditQuery {
  readonly request: AuditRequest;
  readonly limit: number | null;
  readonly format: AuditQueryDto['format'] | null;
}

@Injectable()
export class AuditRequestPipe implements PipeTransform<AuditQueryDto, AuditQuery> {
  transform(query: AuditQueryDto): AuditQuery {
    const { marker, since, until, limit = null, format = null } = query;
    return {
      request: {
        filter: filterOf(query),
        marker: cursorOfMarker(marker, 'the id of an entry of the audit'),
        since: since === undefined ? null : readInstant(since),
        until: until === undefined ? null : readInstant(until),
      },
      limit,
      format,
    };
  }
}

function filterOf({
  tenant_id,
  token_id,
  user,
  address,
  domain_id,
  domain,
  action,
}: AuditQueryDto): AuditRequest['filter'] {
  if (domain !== undefined) readField('domain', NameError, () => parseZoneName(domain));
  return {
    tenantId: tenant_id ?? null,
    tokenId: token_id ?? null,
    userName: user ?? null,
    address: address ?? null,
    zoneId: domain_id ?? null,
    zoneName: domain?.toLowerCase() ?? null,
    actions: action === undefined ? null : actionsNamed(action),
  };
}
