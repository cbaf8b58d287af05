import { Injectable } from '@nestjs/common';
import type { CollectionQuery } from '../../common/collection-query.js';
import type { Instant } from '../../common/clock.js';
import { ServiceError } from '../../common/service-error.js';
import { timeOrderedUuid } from '../../common/uuid.js';
import { FilteredPages, type FilteredPage } from '../../database/statements/filtered-pages.js';
import { Reads } from '../../database/reads.js';
import { RESOURCE_COLUMNS, RESOURCE_SELECT } from '../../database/resource.repository.js';
import { Statement } from '../../database/statements/statement.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { wholeTable } from '../../database/statements/walk.js';
import type { ServiceStatusEntity } from './service-status.entity.js';

const SELECT = `${RESOURCE_SELECT}, service_name AS "serviceName", hostname, status, heartbeated_at AS "heartbeatedAt"`;
const FIND = new Statement<ServiceStatusEntity>(`SELECT ${SELECT} FROM service_statuses WHERE id = ?`);
const PAGES = new FilteredPages<ServiceStatusEntity>({
  select: SELECT,
  from: 'service_statuses',
  columns: {
    ...RESOURCE_COLUMNS,
    hostname: { sql: 'hostname', kind: 'text' },
    service_name: { sql: 'service_name', kind: 'text' },
    status: { sql: 'status', kind: 'text' },
  },
  id: 'id',
});
const BEAT = new Statement(
  'INSERT INTO service_statuses (id, service_name, hostname, status, heartbeated_at, created_at)' +
    " VALUES (?, ?, ?, 'UP', ?, ?) ON CONFLICT (service_name, hostname) DO UPDATE SET status = excluded.status," +
    ' heartbeated_at = excluded.heartbeated_at, updated_at = excluded.heartbeated_at',
);
const MARK_DOWN = new Statement(
  "UPDATE service_statuses SET status = 'DOWN' WHERE status = 'UP' AND heartbeated_at < ?",
);

@Injectable()
export class ServiceStatusRepository {
  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @throws ServiceError `marker_not_found`, `bad_filter`, `unavailable` */
  page(query: CollectionQuery): Promise<FilteredPage<ServiceStatusEntity>> {
    return PAGES.page(this.reads, [wholeTable('service_statuses')], query);
  }

  /** @throws ServiceError `service_status_not_found` */
  async find(id: string): Promise<ServiceStatusEntity> {
    const found = await this.reads.run((tx) => FIND.first(tx, [id]));
    if (found === undefined) throw new ServiceError('service_status_not_found', 'There is no such service.');
    return found;
  }

  /**
   * Notes that services live.
   * @param names those on the host
   * @param downBefore who has not been heard of since then is down
   */
  async note(names: readonly string[], hostname: string, { now, downBefore }: Beat): Promise<void> {
    await this.unitOfWork.run(async (tx) => {
      // In one order, so that no two processes wait for each other.
      for (const name of names) await BEAT.run(tx, [timeOrderedUuid(now), name, hostname, now, now]);
      await MARK_DOWN.run(tx, [downBefore]);
    });
  }
}

interface Beat {
  readonly now: Instant;
  readonly downBefore: Instant;
}
