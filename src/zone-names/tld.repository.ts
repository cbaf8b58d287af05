import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { ServiceError } from '../common/service-error.js';
import { AuditTrail } from '../database/audit-trail.js';
import { FilteredPages } from '../database/filtered-pages.js';
import { Reads } from '../database/reads.js';
import {
  RESOURCE_COLUMNS,
  RESOURCE_SELECT,
  type ResourceKind,
  ResourceRepository,
} from '../database/resource.repository.js';
import type { Transaction } from '../database/transaction.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { TldEntity } from './tld.entity.js';
import { ZoneNameRulesRepository } from './zone-name-rules.repository.js';

@Injectable()
export class TldRepository extends ResourceRepository<TldEntity> {
  protected override readonly kind: ResourceKind<TldEntity> = {
    entity: TldEntity,
    pages: new FilteredPages<TldEntity>({
      select: `${RESOURCE_SELECT}, name, name_key AS "nameKey", description`,
      from: 'tlds',
      columns: { ...RESOURCE_COLUMNS, name: { sql: 'name', kind: 'text' } },
      id: 'id',
    }),
    key: { name: 'tlds_key', table: 'tlds', columns: ['name_key'] },
    duplicate: () => ServiceError.ofField('duplicate_tld', 'name', 'enum', 'There is a TLD of this name.'),
    notFound: () => new ServiceError('tld_not_found', 'There is no such TLD.'),
    audited: {
      kind: 'tld',
      nameOf: ({ name }) => name,
      detailsOf: ({ name, description }) => ({ name, description }),
    },
  };

  constructor(
    reads: Reads,
    unitOfWork: UnitOfWork,
    clock: Clock,
    trail: AuditTrail,
    private readonly rules: ZoneNameRulesRepository,
  ) {
    super(reads, unitOfWork, clock, trail);
  }

  protected override noteChange(tx: Transaction): Promise<void> {
    return this.rules.noteChange(tx);
  }
}
