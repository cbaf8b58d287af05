import { Injectable } from '@nestjs/common';
import type { Instant } from '../../common/clock.js';
import { bulkSet, BulkWrite, type Columns, unnest } from '../../database/statements/bulk-write.js';
import { Reads } from '../../database/reads.js';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import { IS_SERVED, servedSerialSql } from '../../zones/zone.repository.js';
import { ZonePublication } from '../../zones/zone-publication.js';
import type { AwaitedPublicationEntity } from './awaited-publication.entity.js';

/** Zones that are looked at together. */
export const PORTION = 200;

/** Changes of a zone that are to reach the name servers. */
export interface MadeChange extends Pick<AwaitedPublicationEntity, 'zoneId' | 'number' | 'serial' | 'changedAt'> {
  /** When the first of them was made. */
  readonly firstChangedAt: Instant;
}

/** Changes that are looked at, and how far they have come. */
export interface DueChange extends AwaitedPublicationEntity {
  /** `null`: the zone is gone, or is not served. */
  readonly name: string | null;
  readonly tenantId: string | null;
  /** 1: every name server has it; 0. */
  readonly hasLatest: number;
  readonly hasFirst: number;
}

/** Whatever is written becomes due in such a way that nobody who has read it before takes it for looked at. */
const DUE_NOW = '-ABS(awaited_publications.due_at) - 1';
const COLUMNS: Columns = {
  zone_id: 'text',
  number: 'bigint',
  serial: 'bigint',
  changed_at: 'bigint',
  first_number: 'bigint',
  first_serial: 'bigint',
  first_changed_at: 'bigint',
  is_lagging: 'integer',
  due_at: 'bigint',
};
const INTO = `INSERT INTO awaited_publications (${Object.keys(COLUMNS).join(', ')})`;
const OR_FOLLOW =
  'ON CONFLICT (zone_id) DO UPDATE SET number = excluded.number, serial = excluded.serial,' +
  ` changed_at = excluded.changed_at, due_at = ${DUE_NOW} WHERE excluded.number > awaited_publications.number`;
const ADD = new BulkWrite({
  columns: COLUMNS,
  sqlite: { sql: `${INTO} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ${OR_FOLLOW}` },
  postgres: (arrays) => `${INTO} SELECT * FROM ${unnest(arrays)} ${OR_FOLLOW}`,
});
const NOTE_PROGRESS = bulkSet('awaited_publications', { zone_id: 'text' }, `due_at = ${DUE_NOW}`);
const HAVE_ARRIVED = new Statement('DELETE FROM awaited_publications WHERE zone_id = ? AND number <= ?');
const GO_ON = new Statement(
  'UPDATE awaited_publications SET first_number = number, first_serial = serial, first_changed_at = changed_at,' +
    ` is_lagging = 0, due_at = ${DUE_NOW} WHERE zone_id = ? AND first_number <= ?`,
);
const PUT_OFF = new Statement(
  'UPDATE awaited_publications SET is_lagging = ?, due_at = ? WHERE zone_id = ? AND number = ? AND due_at = ?',
);

/** The changes that have yet to reach the name servers. */
@Injectable()
export class AwaitedPublicationRepository {
  private readonly find: Statement<DueChange>;

  constructor(
    private readonly reads: Reads,
    publication: ZonePublication,
  ) {
    this.find = new Statement(
      'SELECT a.zone_id AS "zoneId", a.number, a.serial, a.changed_at AS "changedAt", a.first_number AS "firstNumber",' +
        ' a.first_serial AS "firstSerial", a.first_changed_at AS "firstChangedAt", a.is_lagging AS "isLagging",' +
        ' a.due_at AS "dueAt", z.name, z.tenant_id AS "tenantId",' +
        ` ${hasArrivedSql(publication, 'a.number', 'a.serial')} AS "hasLatest",` +
        ` ${hasArrivedSql(publication, 'a.first_number', 'a.first_serial')} AS "hasFirst"` +
        ` FROM awaited_publications a LEFT JOIN zones z ON z.id = a.zone_id AND ${IS_SERVED}` +
        ` WHERE a.due_at <= ? ORDER BY a.due_at, a.zone_id LIMIT ${PORTION}`,
    );
  }

  /** Has changes awaited, those of a zone that it is behind with already together with them. */
  add(tx: Transaction, changes: readonly MadeChange[]): Promise<void> {
    return ADD.run(
      tx,
      changes.map(({ zoneId, number, serial, changedAt, firstChangedAt }) => [
        ...[zoneId, number, serial, changedAt],
        ...[number, serial, firstChangedAt, 0, -1],
      ]),
    );
  }

  /** Something has become of zones. */
  recordProgress(tx: Transaction, zoneIds: readonly string[]): Promise<void> {
    return NOTE_PROGRESS.run(
      tx,
      zoneIds.map((id) => [id]),
    );
  }

  /** Some that are to be looked at. */
  due(now: Instant): Promise<DueChange[]> {
    return this.reads.run((tx) => this.find.rows(tx, [now]));
  }

  /** Ends what has arrived, up to that number. */
  async settle(tx: Transaction, zoneId: string, number: number): Promise<void> {
    await HAVE_ARRIVED.run(tx, [zoneId, number]);
    await GO_ON.run(tx, [zoneId, number]);
  }

  /** Looks at it again then, unless something has happened since it was read. */
  putOff(tx: Transaction, { zoneId, number, dueAt }: DueChange, isLagging: boolean, until: Instant): Promise<void> {
    return PUT_OFF.run(tx, [isLagging ? 1 : 0, until, zoneId, number, dueAt]);
  }
}

/** Of a signed zone name servers are sent what has been signed, under a serial of its own. */
function hasArrivedSql(publication: ZonePublication, number: string, serial: string): string {
  const unsigned = publication.statusSql('a.zone_id', serial);
  const signed = publication.statusSql('a.zone_id', servedSerialSql('z.'));
  return (
    `CASE WHEN z.published_version IS NULL THEN CASE WHEN ${unsigned} = 'ACTIVE' THEN 1 ELSE 0 END` +
    ` WHEN z.published_version >= ${number} AND ${signed} = 'ACTIVE' THEN 1 ELSE 0 END`
  );
}
