import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { Clock } from '../common/clock.js';
import type { CollectionQuery } from '../common/collection-query.js';
import { ServiceError } from '../common/service-error.js';
import { timeOrderedUuid } from '../common/uuid.js';
import { AuditTrail } from './audit/audit-trail.js';
import { type UniqueKey, violatesUniqueKey } from './database-failure.js';
import { type FilteredColumn, type FilteredPage, FilteredPages } from './statements/filtered-pages.js';
import { Reads } from './reads.js';
import type { ResourceEntity } from './resource.entity.js';
import { entityManagerOf, type Transaction } from './transaction.js';
import { wholeTable } from './statements/walk.js';
import { UnitOfWork } from './unit-of-work.js';

export const RESOURCE_SELECT = 'id, created_at AS "createdAt", updated_at AS "updatedAt"';

const TIMES = {
  created_at: { sql: 'created_at', kind: 'number' },
  updated_at: { sql: 'updated_at', kind: 'number' },
} as const;

export type FieldsOf<Row extends ResourceEntity> = Omit<Row, keyof ResourceEntity>;

/** Omitted fields keep their values. */
export type ChangeOf<Row extends ResourceEntity> = {
  readonly [Field in keyof FieldsOf<Row>]?: FieldsOf<Row>[Field] | undefined;
};

interface ResourceTable {
  readonly table: string;
  /** SQL of its columns, apart from those of all resources. */
  readonly columns: string;
  /** Text columns that lists sort and filter by. */
  readonly listed: readonly string[];
}

export interface ResourceKind<Row extends ResourceEntity> extends ResourceTable {
  readonly entity: new () => ResourceEntity;
  readonly key: UniqueKey;
  readonly duplicate: () => ServiceError;
  readonly notFound: () => ServiceError;
  readonly audited: AuditedKind<Row>;
}

interface AuditedKind<Row extends ResourceEntity> {
  readonly kind: 'pool' | 'tld' | 'blacklist' | 'tsig_key';
  readonly nameOf: (row: Row) => string;
  /** Without it, the resource has no owner. */
  readonly ownerOf?: (row: Row) => string | null;
  /** Named as in the API; never a secret. */
  readonly detailsOf: (fields: ChangeOf<Row>) => Readonly<Record<string, unknown>>;
}

/** Resources that admins rarely change, one at a time. */
@Injectable()
export abstract class ResourceRepository<Row extends ResourceEntity> {
  protected abstract readonly kind: ResourceKind<Row>;
  private pages: FilteredPages<Row> | undefined;

  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly trail: AuditTrail,
  ) {}

  /** @throws ServiceError `marker_not_found`, `bad_filter`, `unavailable` */
  page(query: CollectionQuery): Promise<FilteredPage<Row>> {
    this.pages ??= resourcePages(this.kind);
    return this.pages.page(this.reads, [wholeTable(this.kind.table)], query);
  }

  find(id: string): Promise<Row> {
    return this.reads.run((tx) => this.findIn(tx, id));
  }

  insert(fields: FieldsOf<Row>, caller: Caller): Promise<Row> {
    return this.write(async (tx) => {
      const now = this.clock.now();
      const own: ResourceEntity = { id: timeOrderedUuid(now), createdAt: now, updatedAt: null };
      await entityManagerOf(tx).insert(this.kind.entity, { ...fields, ...own });
      return this.told(tx, caller, 'create', await this.findIn(tx, own.id), fields);
    });
  }

  /** Unchanged values are neither written nor audited (behaviour 1.15). */
  update(id: string, fields: ChangeOf<Row>, caller: Caller): Promise<Row> {
    return this.write(async (tx) => {
      const before = await this.findIn(tx, id);
      const named = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
      if (Object.entries(named).every(([field, value]) => before[field as keyof Row] === value)) return before;
      // The named columns only: another process may be changing others.
      await entityManagerOf(tx).update(this.kind.entity, id, { ...named, updatedAt: this.clock.now() });
      return this.told(tx, caller, 'update', await this.findIn(tx, id), fields);
    });
  }

  delete(id: string, caller: Caller): Promise<void> {
    return this.write(async (tx) => {
      const row = await this.findIn(tx, id);
      const { affected } = await entityManagerOf(tx).delete(this.kind.entity, id);
      // Another process deleted it first.
      if (affected === 0) throw this.kind.notFound();
      await this.told(tx, caller, 'delete', row);
    });
  }

  protected recordChange(_tx: Transaction): Promise<void> {
    return Promise.resolve();
  }

  private write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.unitOfWork.run(async (tx) => {
      const result = await this.refusingDuplicates(work(tx));
      await this.recordChange(tx);
      return result;
    });
  }

  private async told(
    tx: Transaction,
    caller: Caller,
    verb: 'create' | 'update' | 'delete',
    row: Row,
    fields?: ChangeOf<Row>,
  ): Promise<Row> {
    const { kind, nameOf, ownerOf, detailsOf } = this.kind.audited;
    const subject = { id: row.id, name: nameOf(row) };
    const details = fields === undefined ? {} : { details: detailsOf(fields) };
    const act = { action: `${kind}.${verb}` as const, ownerId: ownerOf?.(row) ?? null, subject, ...details };
    await this.trail.record(tx, caller, [act]);
    return row;
  }

  private async refusingDuplicates<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw violatesUniqueKey(error, this.kind.key) ? this.kind.duplicate() : error;
    }
  }

  private async findIn(tx: Transaction, id: string): Promise<Row> {
    const row = await entityManagerOf(tx).findOneBy(this.kind.entity, { id });
    if (row === null) throw this.kind.notFound();
    return row as Row;
  }
}

export function resourcePages<Row extends ResourceEntity>({
  table,
  columns,
  listed,
}: ResourceTable): FilteredPages<Row> {
  const texts = listed.map((name): [string, FilteredColumn] => [name, { sql: name, kind: 'text' }]);
  return new FilteredPages<Row>({
    select: `${RESOURCE_SELECT}, ${columns}`,
    from: table,
    columns: { ...TIMES, ...Object.fromEntries(texts) },
    id: 'id',
  });
}
