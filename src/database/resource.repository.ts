import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { Clock } from '../common/clock.js';
import type { CollectionQuery } from '../common/collection-query.js';
import { ServiceError } from '../common/service-error.js';
import { timeOrderedUuid } from '../common/uuid.js';
import { AuditTrail } from './audit/audit-trail.js';
import { type UniqueKey, violatesUniqueKey } from './database-failure.js';
import type { FilteredPage, FilteredPages } from './statements/filtered-pages.js';
import { Reads } from './reads.js';
import type { ResourceEntity } from './resource.entity.js';
import { entityManagerOf, type Transaction } from './transaction.js';
import { wholeTable } from './statements/walk.js';
import { UnitOfWork } from './unit-of-work.js';

/** The columns that all things have, as the lists of them select, filter and sort them. */
export const RESOURCE_SELECT = 'id, created_at AS "createdAt", updated_at AS "updatedAt"';
export const RESOURCE_COLUMNS = {
  created_at: { sql: 'created_at', kind: 'number' },
  updated_at: { sql: 'updated_at', kind: 'number' },
} as const;

/** What a caller says of a thing; the rest is the table's. */
export type FieldsOf<Row extends ResourceEntity> = Omit<Row, keyof ResourceEntity>;

/** What a caller changes of it; what is left out keeps its value. */
export type ChangeOf<Row extends ResourceEntity> = {
  readonly [Field in keyof FieldsOf<Row>]?: FieldsOf<Row>[Field] | undefined;
};

/** How things of one kind are kept and refused. */
export interface ResourceKind<Row extends ResourceEntity> {
  readonly entity: new () => ResourceEntity;
  readonly pages: FilteredPages<Row>;
  readonly table: string;
  /** The column that is unique. */
  readonly key: UniqueKey;
  readonly duplicate: () => ServiceError;
  readonly notFound: () => ServiceError;
  /** How they appear in the audit. */
  readonly audited: AuditedKind<Row>;
}

interface AuditedKind<Row extends ResourceEntity> {
  readonly kind: 'pool' | 'tld' | 'blacklist' | 'tsig_key';
  readonly nameOf: (row: Row) => string;
  /** The column of the owner; without one, nobody owns it. */
  readonly ownerOf?: (row: Row) => string | null;
  /** What the audit says of fields that are given, by the names that the interfaces have for them; never a secret. */
  readonly detailsOf: (fields: ChangeOf<Row>) => Readonly<Record<string, unknown>>;
}

/**
 * A table of things that admins make, change and remove one at a time, and that are listed in pages. None of it is
 * done often.
 */
@Injectable()
export abstract class ResourceRepository<Row extends ResourceEntity> {
  protected abstract readonly kind: ResourceKind<Row>;

  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly trail: AuditTrail,
  ) {}

  /** @throws ServiceError `marker_not_found`, `bad_filter`, `unavailable` */
  page(query: CollectionQuery): Promise<FilteredPage<Row>> {
    return this.kind.pages.page(this.reads, [wholeTable(this.kind.table)], query);
  }

  /** @throws ServiceError that there is none of this id */
  find(id: string): Promise<Row> {
    return this.reads.run((tx) => this.findIn(tx, id));
  }

  /** @throws ServiceError that there is such a thing already */
  insert(fields: FieldsOf<Row>, caller: Caller): Promise<Row> {
    return this.write(async (tx) => {
      const now = this.clock.now();
      const own: ResourceEntity = { id: timeOrderedUuid(now), createdAt: now, updatedAt: null };
      await entityManagerOf(tx).insert(this.kind.entity, { ...fields, ...own });
      return this.told(tx, caller, 'create', await this.findIn(tx, own.id), fields);
    });
  }

  /**
   * Changes the fields that are given, and leaves the others. What is as it was is not written, nor told (behaviour 1.15).
   * @throws ServiceError that there is none of this id, or another that would be the same
   */
  update(id: string, fields: ChangeOf<Row>, caller: Caller): Promise<Row> {
    return this.write(async (tx) => {
      const before = await this.findIn(tx, id);
      const named = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
      if (Object.entries(named).every(([field, value]) => before[field as keyof Row] === value)) return before;
      // Only the named columns are written: another process may be setting others.
      await entityManagerOf(tx).update(this.kind.entity, id, { ...named, updatedAt: this.clock.now() });
      return this.told(tx, caller, 'update', await this.findIn(tx, id), fields);
    });
  }

  /** @throws ServiceError that there is none of this id */
  delete(id: string, caller: Caller): Promise<void> {
    return this.write(async (tx) => {
      const row = await this.findIn(tx, id);
      const { affected } = await entityManagerOf(tx).delete(this.kind.entity, id);
      // Another process was faster.
      if (affected === 0) throw this.kind.notFound();
      await this.told(tx, caller, 'delete', row);
    });
  }

  /** Called in the transaction of each change. */
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
    // The entity is that of the rows.
    return row as Row;
  }
}
