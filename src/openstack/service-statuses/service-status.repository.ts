import { Injectable } from '@nestjs/common';
import type { CollectionQuery } from '../../common/collection-query.js';
import type { Instant } from '../../common/clock.js';
import { ServiceError } from '../../common/service-error.js';
import { timeOrderedUuid } from '../../common/uuid.js';
import type { FilteredPage } from '../../database/statements/filtered-pages.js';
import { Reads } from '../../database/reads.js';
import { RESOURCE_SELECT, resourcePages } from '../../database/resource.repository.js';
import { Statement } from '../../database/statements/statement.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { wholeTable } from '../../database/statements/walk.js';
import { Column, Entity, Index } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';
import { ResourceEntity } from '../../database/resource.entity.js';

@Entity('service_statuses')
@Index('service_statuses_key', ['serviceName', 'hostname'], { unique: true })
export class ServiceStatusEntity extends ResourceEntity {
  @Column('varchar', { name: 'service_name', length: 64, ...BYTEWISE })
  serviceName!: string;

  @Column('varchar', { length: 255, ...BYTEWISE })
  hostname!: string;

  @Column('varchar', { length: 8, ...BYTEWISE })
  status!: 'UP' | 'DOWN';

  @Column('bigint', { name: 'heartbeated_at' })
  heartbeatedAt!: number;
}

const TABLE = 'service_statuses';
const COLUMNS = 'service_name AS "serviceName", hostname, status, heartbeated_at AS "heartbeatedAt"';
const FIND = new Statement<ServiceStatusEntity>(`SELECT ${RESOURCE_SELECT}, ${COLUMNS} FROM ${TABLE} WHERE id = ?`);
const LISTED = ['hostname', 'service_name', 'status'];
const PAGES = resourcePages<ServiceStatusEntity>({ table: TABLE, columns: COLUMNS, listed: LISTED });
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

  /** Stores heartbeats of `names`. Services of all hosts without a heartbeat since `downBefore` are marked as down. */
  async note(names: readonly string[], hostname: string, { now, downBefore }: Beat): Promise<void> {
    await this.unitOfWork.run(async (tx) => {
      // A fixed order prevents deadlocks.
      for (const name of names) await BEAT.run(tx, [timeOrderedUuid(now), name, hostname, now, now]);
      await MARK_DOWN.run(tx, [downBefore]);
    });
  }
}

interface Beat {
  readonly now: Instant;
  readonly downBefore: Instant;
}
