import { Injectable } from '@nestjs/common';
import { bulkDelete, BulkWrite, unnest } from '../../database/statements/bulk-write.js';
import { Lookup } from '../../database/statements/lookup.js';
import { Reads } from '../../database/reads.js';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import { IS_SERVED } from '../../zones/zone.repository.js';
import type { PublicationEntity } from './publication.entity.js';

/** What is to be brought to name servers. */
export interface WantedZone {
  readonly id: string;
  readonly name: string;
  readonly serial: number;
}

const FIND_ZONES = new Lookup<WantedZone>(`SELECT id, name, serial FROM zones WHERE id = ? AND ${IS_SERVED}`, ['text']);
const PAGE_OF_ZONES = new Statement<WantedZone>(
  `SELECT id, name, serial FROM zones WHERE id > ? AND ${IS_SERVED} ORDER BY id LIMIT ?`,
);
const COLUMNS =
  'zone_id AS "zoneId", server, serial, changed_at AS "changedAt", checked_at AS "checkedAt", error,' +
  ' failing_since AS "failingSince", refusing_since AS "refusingSince"';
const PAGE = new Statement<PublicationEntity>(
  `SELECT ${COLUMNS} FROM publications WHERE (zone_id, server) > (?, ?) ORDER BY zone_id, server LIMIT ?`,
);
const OF_ZONES = new Lookup<PublicationEntity>(`SELECT ${COLUMNS} FROM publications WHERE zone_id = ?`, ['text']);

const KEY = { zone_id: 'text', server: 'text' } as const;
const INTO =
  'INSERT INTO publications (zone_id, server, serial, changed_at, checked_at, error, failing_since, refusing_since)';
const REPLACE =
  'ON CONFLICT (zone_id, server) DO UPDATE SET serial = excluded.serial, changed_at = excluded.changed_at,' +
  ' checked_at = excluded.checked_at, error = excluded.error, failing_since = excluded.failing_since,' +
  ' refusing_since = excluded.refusing_since';
const WRITE = new BulkWrite({
  columns: {
    ...KEY,
    serial: 'bigint',
    changed_at: 'bigint',
    checked_at: 'bigint',
    error: 'text',
    failing_since: 'bigint',
    refusing_since: 'bigint',
  },
  sqlite: { sql: `${INTO} VALUES (?, ?, ?, ?, ?, ?, ?, ?) ${REPLACE}` },
  postgres: (arrays) => `${INTO} SELECT * FROM ${unnest(arrays)} ${REPLACE}`,
});
const DELETE = bulkDelete('publications', KEY);

/** How name servers stand to zones, and what there is to be published. */
@Injectable()
export class PublicationRepository {
  constructor(private readonly reads: Reads) {}

  /** Those of the zones that are there. */
  zones(ids: readonly string[]): Promise<WantedZone[]> {
    return this.reads.run((tx) =>
      FIND_ZONES.rows(
        tx,
        [],
        ids.map((id) => [id]),
      ),
    );
  }

  /** Up to `limit` zones by id from after `marker` on. */
  pageOfZones(marker: string, limit: number): Promise<WantedZone[]> {
    return this.reads.run((tx) => PAGE_OF_ZONES.rows(tx, [marker, limit]));
  }

  /** Up to `limit` rows behind the one of that zone and server. */
  page(zoneId: string, server: string, limit: number): Promise<PublicationEntity[]> {
    return this.reads.run((tx) => PAGE.rows(tx, [zoneId, server, limit]));
  }

  /** What is known of these zones. */
  ofZones(ids: readonly string[]): Promise<PublicationEntity[]> {
    return this.reads.run((tx) =>
      OF_ZONES.rows(
        tx,
        [],
        ids.map((id) => [id]),
      ),
    );
  }

  write(tx: Transaction, rows: readonly PublicationEntity[]): Promise<void> {
    return WRITE.run(
      tx,
      rows.map((row) => [
        row.zoneId,
        row.server,
        row.serial,
        row.changedAt,
        row.checkedAt,
        row.error,
        row.failingSince,
        row.refusingSince,
      ]),
    );
  }

  delete(tx: Transaction, rows: readonly Pick<PublicationEntity, 'zoneId' | 'server'>[]): Promise<void> {
    return DELETE.run(
      tx,
      rows.map(({ zoneId, server }) => [zoneId, server]),
    );
  }
}
