import { Injectable } from '@nestjs/common';
import type { Instant } from '../../common/clock.js';
import { bulkInsert, bulkSet } from '../../database/statements/bulk-write.js';
import { Reads } from '../../database/reads.js';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import { IS_SERVED, servedSerialSql } from '../../zones/zone.repository.js';
import { ZonePublication, PublicationProgress } from '../../zones/zone-publication.js';
import type { AwaitedPublicationEntity } from './awaited-publication.entity.js';

export const PORTION = 200;

export interface WaitingPublication extends Pick<
  AwaitedPublicationEntity,
  'zoneId' | 'number' | 'serial' | 'changedAt'
> {
  readonly firstChangedAt: Instant;
}

export interface DuePublication extends AwaitedPublicationEntity {
  /** `null`: the zone is deleted or not served. */
  readonly name: string | null;
  readonly tenantId: string | null;
  readonly labels: string | null;
  /** 1: every name server has it; 0. */
  readonly hasLatest: number;
  readonly hasFirst: number;
}

/** Every write yields a new number, so that no concurrent check can postpone it. */
const DUE_NOW = '-ABS(awaited_publications.due_at) - 1';
const ADD = bulkInsert(
  'awaited_publications',
  {
    zone_id: 'text',
    number: 'bigint',
    serial: 'bigint',
    changed_at: 'bigint',
    first_number: 'bigint',
    first_serial: 'bigint',
    first_changed_at: 'bigint',
    is_lagging: 'integer',
    due_at: 'bigint',
  },
  'ON CONFLICT (zone_id) DO UPDATE SET number = excluded.number, serial = excluded.serial,' +
    ` changed_at = excluded.changed_at, due_at = ${DUE_NOW} WHERE excluded.number > awaited_publications.number`,
);
const NOTE_PROGRESS = bulkSet('awaited_publications', { zone_id: 'text' }, `due_at = ${DUE_NOW}`);
const HAVE_ARRIVED = new Statement('DELETE FROM awaited_publications WHERE zone_id = ? AND number <= ?');
const GO_ON = new Statement(
  'UPDATE awaited_publications SET first_number = number, first_serial = serial, first_changed_at = changed_at,' +
    ` is_lagging = 0, due_at = ${DUE_NOW} WHERE zone_id = ? AND first_number <= ?`,
);
const PUT_OFF = new Statement(
  'UPDATE awaited_publications SET is_lagging = ?, due_at = ? WHERE zone_id = ? AND number = ? AND due_at = ?',
);

@Injectable()
export class AwaitedPublicationRepository {
  private readonly find: Statement<DuePublication>;

  constructor(
    private readonly reads: Reads,
    publication: ZonePublication,
  ) {
    this.find = new Statement(
      'SELECT a.zone_id AS "zoneId", a.number, a.serial, a.changed_at AS "changedAt", a.first_number AS "firstNumber",' +
        ' a.first_serial AS "firstSerial", a.first_changed_at AS "firstChangedAt", a.is_lagging AS "isLagging",' +
        ' a.due_at AS "dueAt", z.name, z.tenant_id AS "tenantId", z.labels,' +
        ` ${hasArrivedSql(publication, 'a.number', 'a.serial')} AS "hasLatest",` +
        ` ${hasArrivedSql(publication, 'a.first_number', 'a.first_serial')} AS "hasFirst"` +
        ` FROM awaited_publications a LEFT JOIN zones z ON z.id = a.zone_id AND ${IS_SERVED}` +
        ` WHERE a.due_at <= ? ORDER BY a.due_at, a.zone_id LIMIT ${PORTION}`,
    );
  }

  /** Adds changes; they join earlier unpublished changes of their zone. */
  add(tx: Transaction, changes: readonly WaitingPublication[]): Promise<void> {
    const rows = changes.map((change) => {
      return { ...change, firstNumber: change.number, firstSerial: change.serial, isLagging: 0, dueAt: -1 };
    });
    return ADD.runAll(tx, rows);
  }

  /** Makes these zones due. */
  recordProgress(tx: Transaction, zoneIds: readonly string[]): Promise<void> {
    const rows = zoneIds.map((zoneId) => ({ zoneId }));
    return NOTE_PROGRESS.runAll(tx, rows);
  }

  due(now: Instant): Promise<DuePublication[]> {
    return this.reads.run((tx) => this.find.rows(tx, [now]));
  }

  /** Removes published changes up to that number. */
  async settle(tx: Transaction, zoneId: string, number: number): Promise<void> {
    await HAVE_ARRIVED.run(tx, [zoneId, number]);
    await GO_ON.run(tx, [zoneId, number]);
  }

  /** Postpones the next check, unless something has happened since the read. */
  putOff(
    tx: Transaction,
    { zoneId, number, dueAt }: DuePublication,
    isLagging: boolean,
    until: Instant,
  ): Promise<void> {
    return PUT_OFF.run(tx, [isLagging ? 1 : 0, until, zoneId, number, dueAt]);
  }
}

/** A signed zone is published under its own serial. */
function hasArrivedSql(publication: ZonePublication, number: string, serial: string): string {
  const unsigned = publication.statusSql('a.zone_id', serial);
  const signed = publication.statusSql('a.zone_id', servedSerialSql('z.'));
  return (
    `CASE WHEN z.published_version IS NULL THEN CASE WHEN ${unsigned} = 'ACTIVE' THEN 1 ELSE 0 END` +
    ` WHEN z.published_version >= ${number} AND ${signed} = 'ACTIVE' THEN 1 ELSE 0 END`
  );
}

/** Makes a zone due when a name server gets a later serial. */
@Injectable()
export class AwaitedProgress extends PublicationProgress {
  constructor(private readonly awaited: AwaitedPublicationRepository) {
    super();
  }

  override record(tx: Transaction, zoneIds: readonly string[]): Promise<void> {
    return this.awaited.recordProgress(tx, zoneIds);
  }
}
