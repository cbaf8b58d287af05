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
import { BlacklistEntity } from './blacklist.entity.js';
import { ZoneNameRulesRepository } from './zone-name-rules.repository.js';

@Injectable()
export class BlacklistRepository extends ResourceRepository<BlacklistEntity> {
  protected override readonly kind: ResourceKind<BlacklistEntity> = {
    entity: BlacklistEntity,
    pages: new FilteredPages<BlacklistEntity>({
      select: `${RESOURCE_SELECT}, pattern, description`,
      from: 'blacklists',
      columns: { ...RESOURCE_COLUMNS, pattern: { sql: 'pattern', kind: 'text' } },
      id: 'id',
    }),
    key: { name: 'blacklists_key', table: 'blacklists', columns: ['pattern'] },
    duplicate: () =>
      ServiceError.ofField('duplicate_blacklist', 'pattern', 'enum', 'There is a blacklist of this pattern.'),
    notFound: () => new ServiceError('blacklist_not_found', 'There is no such blacklist.'),
    audited: {
      kind: 'blacklist',
      nameOf: ({ pattern }) => pattern,
      detailsOf: ({ pattern, description }) => ({ pattern, description }),
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
