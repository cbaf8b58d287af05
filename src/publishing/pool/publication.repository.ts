import { Injectable } from '@nestjs/common';
import type { Instant } from '../../common/clock.js';
import { bulkDelete, BulkWrite, unnest } from '../../database/statements/bulk-write.js';
import { Lookup } from '../../database/statements/lookup.js';
import { Reads } from '../../database/reads.js';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import { IS_SERVED, servedSerialSql } from '../../zones/zone.repository.js';
import { CATALOG_ID } from '../catalog/catalog-id.js';
import { isInSyncSql } from './is-in-sync.js';
import { SERVER_ID } from './server-id.js';
import type { PublicationEntity } from './publication.entity.js';

/** What is to be brought to name servers. */
export interface WantedZone {
  readonly id: string;
  readonly name: string;
  readonly serial: number;
}

const WANTED = `SELECT id, name, ${servedSerialSql()} AS serial FROM zones`;
const FIND_ZONES = new Lookup<WantedZone>(`${WANTED} WHERE id = ? AND ${IS_SERVED}`, ['text']);
const PAGE_OF_ZONES = new Statement<WantedZone>(`${WANTED} WHERE id > ? AND ${IS_SERVED} ORDER BY id LIMIT ?`);
const PAGE_BY_NAME = new Statement<WantedZone & { readonly nameKey: string }>(
  `SELECT id, name, ${servedSerialSql()} AS serial, name_key AS "nameKey" FROM zones WHERE name_key > ? AND ${IS_SERVED}` +
    ' ORDER BY name_key LIMIT ?',
);
const OF_PUBLICATION =
  'p.zone_id AS "zoneId", p.server, p.serial, p.changed_at AS "changedAt", p.checked_at AS "checkedAt", p.error,' +
  ' p.failing_since AS "failingSince", p.refusing_since AS "refusingSince",' +
  ' p.notified_serial AS "notifiedSerial", p.inconsistency, p.inconsistent_since AS "inconsistentSince"';
const OF_ZONES = new Lookup<PublicationEntity>(`SELECT ${OF_PUBLICATION} FROM publications p WHERE zone_id = ?`, [
  'text',
]);

/** Zones are compared so many at a time. */
const PORTION = 2000;
/** Sorts after every id. */
const END = '~';
const END_OF_PORTION = new Statement<{ id: string }>(
  `SELECT id FROM zones WHERE id > ? ORDER BY id LIMIT 1 OFFSET ${PORTION - 1}`,
);
const COUNT_ZONES = new Statement<Count>(
  `SELECT COUNT(*) AS count FROM zones WHERE id > ? AND id <= ? AND ${IS_SERVED}`,
);
const SERVED_SERIAL = servedSerialSql('z.');
const IS_CURRENT = isInSyncSql('p.serial', SERVED_SERIAL);
const IS_TOLD = isInSyncSql('p.notified_serial', SERVED_SERIAL);
const COUNT_STATUSES = new Statement<StatusCounts>(
  `SELECT p.server, COUNT(*) AS present, COUNT(CASE WHEN ${IS_CURRENT} THEN 1 END) AS current,` +
    ` COUNT(CASE WHEN ${IS_TOLD} THEN 1 END) AS told, COUNT(p.inconsistency) AS inconsistent` +
    ` FROM publications p JOIN zones z ON z.id = p.zone_id WHERE p.zone_id > ? AND p.zone_id <= ? AND ${IS_SERVED}` +
    ' GROUP BY p.server',
);
const IS_OF_ZONE = `zone_id NOT IN ('${CATALOG_ID}', '${SERVER_ID}')`;
const COUNT_ROWS = new Statement<Count>(
  `SELECT COUNT(*) AS count FROM publications WHERE zone_id > ? AND zone_id <= ? AND ${IS_OF_ZONE}`,
);
const KEYS = new Statement<StoredKey>(
  `SELECT zone_id AS "zoneId", server, CASE WHEN EXISTS (SELECT 1 FROM zones z WHERE z.id = zone_id AND ${IS_SERVED})` +
    ` THEN 1 ELSE 0 END AS "hasZone" FROM publications WHERE zone_id > ? AND zone_id <= ? AND ${IS_OF_ZONE}`,
);
const LACKING = lackingStatement(`p.serial IS NULL OR NOT (${IS_CURRENT})`);
const UNTOLD = lackingStatement(`p.notified_serial IS NULL OR NOT (${IS_TOLD})`);

function lackingStatement(isLacking: string): Statement<LackingRow> {
  return new Statement(
    `SELECT z.id, z.name, ${SERVED_SERIAL} AS wanted, ${OF_PUBLICATION}` +
      ' FROM zones z LEFT JOIN publications p ON p.zone_id = z.id AND p.server = ?' +
      ` WHERE z.id > ? AND z.id <= ? AND ${IS_SERVED} AND (${isLacking}) ORDER BY z.id`,
  );
}

/** What BIND refuses a whole zone for by default: `max-records-per-type` and `max-types-per-name` (since 9.18.28). */
const BEYOND_BIND = 100;
const LARGE_SET = new Statement<ExcessRow>(
  'SELECT name, type, record_count AS count FROM record_sets WHERE zone_id = ?' +
    ` AND record_count > ${BEYOND_BIND} ORDER BY owner_key, type LIMIT 1`,
);
const CROWDED_NAME = new Statement<ExcessRow>(
  'SELECT MIN(name) AS name, NULL AS type, COUNT(*) AS count FROM record_sets WHERE zone_id = ? AND record_count > 0' +
    ` GROUP BY owner_key HAVING COUNT(*) > ${BEYOND_BIND} LIMIT 1`,
);

/** Changes among which the first that a server lacks is looked for. */
const RECENT_STEPS = 500;
const IS_LACKING = `NOT (${isInSyncSql('CAST(? AS bigint)', 'serial')})`;
const RECENT = `FROM journal WHERE zone_id = ? AND number > (SELECT version FROM zones WHERE id = ?) - ${RECENT_STEPS}`;
const FIRST_RECENT = new Statement<{ readonly at: Instant }>(`SELECT at ${RECENT} ORDER BY number LIMIT 1`);
const FIRST_LACKING = new Statement<{ readonly at: Instant }>(
  `SELECT at ${RECENT} AND ${IS_LACKING} ORDER BY number LIMIT 1`,
);

interface ExcessRow extends Count {
  readonly name: string;
  readonly type: string | null;
}

interface Count {
  readonly count: number | string;
}

/** Of one server, and some zones. */
interface StatusCounts {
  readonly server: string;
  readonly present: number | string;
  readonly current: number | string;
  readonly told: number | string;
  readonly inconsistent: number | string;
}

interface StoredKey extends Pick<PublicationEntity, 'zoneId' | 'server'> {
  readonly hasZone: number;
}

/** Columns of the publication are `null` where there is none. */
type LackingRow = Omit<PublicationEntity, 'zoneId'> & {
  readonly id: string;
  readonly name: string;
  readonly wanted: number;
  readonly zoneId: string | null;
};

/** A server as far as the database distinguishes it. */
interface PoolServer {
  readonly label: string;
  /** Whether it is asked for its serials. */
  readonly isAsked: boolean;
}

/** A zone that a server does not have as it is wanted. */
export interface LackingZone {
  readonly zone: WantedZone;
  /** How the server stands to it; `null` where that is not known. */
  readonly row: PublicationEntity | null;
}

/** Counts zones by how one server stands to them. */
interface ZoneCounts {
  /** It is known how it stands to them. */
  readonly present: number;
  /** It has answered their serial. */
  readonly current: number;
  /** It has answered a NOTIFY of their serial. */
  readonly told: number;
  /** Its answers differ. */
  readonly inconsistent: number;
}

/** How servers stand to some zones that follow each other. */
export interface PortionOfZones {
  readonly zones: number;
  /** By server. */
  readonly statuses: ReadonlyMap<string, ZoneCounts>;
  /** How many publications are stored, also those of zones that are gone. */
  readonly rows: number;
  /** The id of the last zone; `null` where there are no more behind them. */
  readonly end: string | null;
}

const KEY = { zone_id: 'text', server: 'text' } as const;
const INTO =
  'INSERT INTO publications (zone_id, server, serial, changed_at, checked_at, error, failing_since, refusing_since,' +
  ' notified_serial, inconsistency, inconsistent_since)';
const REPLACE =
  'ON CONFLICT (zone_id, server) DO UPDATE SET serial = excluded.serial, changed_at = excluded.changed_at,' +
  ' checked_at = excluded.checked_at, error = excluded.error, failing_since = excluded.failing_since,' +
  ' refusing_since = excluded.refusing_since, notified_serial = excluded.notified_serial,' +
  ' inconsistency = excluded.inconsistency, inconsistent_since = excluded.inconsistent_since';
const WRITE = new BulkWrite({
  columns: {
    ...KEY,
    serial: 'bigint',
    changed_at: 'bigint',
    checked_at: 'bigint',
    error: 'text',
    failing_since: 'bigint',
    refusing_since: 'bigint',
    notified_serial: 'bigint',
    inconsistency: 'text',
    inconsistent_since: 'bigint',
  },
  sqlite: { sql: `${INTO} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ${REPLACE}` },
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

  /** Up to `limit` zones by name from after that key on. */
  pageByName(nameKey: string, limit: number): Promise<(WantedZone & { readonly nameKey: string })[]> {
    return this.compare((tx) => PAGE_BY_NAME.rows(tx, [nameKey, limit]));
  }

  /** How servers stand to the next zones by id from after `marker` on. */
  chunk(marker: string): Promise<PortionOfZones> {
    return this.compare(async (tx) => {
      const end = await endOfPortion(tx, marker);
      const range = [marker, end ?? END];
      const zones = await COUNT_ZONES.first(tx, range);
      const counts = await COUNT_STATUSES.rows(tx, range);
      const rows = await COUNT_ROWS.first(tx, range);
      const statuses = counts.map(({ server, ...counted }): [string, ZoneCounts] => [
        server,
        {
          present: Number(counted.present),
          current: Number(counted.current),
          told: Number(counted.told),
          inconsistent: Number(counted.inconsistent),
        },
      ]);
      return {
        zones: Number(zones?.count ?? 0),
        statuses: new Map(statuses),
        rows: Number(rows?.count ?? 0),
        end,
      };
    });
  }

  /** The id with which such a portion ends; `null` where there are no zones behind it. */
  endOfPortion(marker: string): Promise<string | null> {
    return this.compare((tx) => endOfPortion(tx, marker));
  }

  /** The zones of a portion that a server lacks, or has not been told of where it is not asked. */
  async lacking({ label, isAsked }: PoolServer, after: string, upTo = END): Promise<LackingZone[]> {
    const statement = isAsked ? LACKING : UNTOLD;
    const rows = await this.compare((tx) => statement.rows(tx, [label, after, upTo]));
    return rows.map(({ id, name, wanted: serial, zoneId, ...row }) => ({
      zone: { id, name, serial },
      row: zoneId === null ? null : { zoneId, ...row },
    }));
  }

  /** What is stored of zones that are gone, and of other servers than these. */
  async stale(servers: readonly string[], after: string, upTo = END): Promise<StoredKey[]> {
    const keys = await this.compare((tx) => KEYS.rows(tx, [after, upTo]));
    return keys.filter(({ server, hasZone }) => hasZone === 0 || !servers.includes(server));
  }

  /** Comparisons go through all zones, all the time. */
  private compare<T>(read: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.reads.offPrimary(() => this.reads.run(read));
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

  /** Why BIND may refuse the zone as a whole; `null` where it has no reason. */
  excessOf(zoneId: string): Promise<string | null> {
    return this.reads.run(async (tx) => {
      const set = await LARGE_SET.first(tx, [zoneId]);
      if (set !== undefined)
        return `${set.name} has ${set.count} records of type ${set.type ?? ''}, BIND takes ${BEYOND_BIND} (max-records-per-type)`;
      const name = await CROWDED_NAME.first(tx, [zoneId]);
      if (name === undefined) return null;
      return `${name.name} has ${name.count} types, BIND takes ${BEYOND_BIND} (max-types-per-name)`;
    });
  }

  /** When the first change was made that a server with that serial lacks, of the last 500; `null` where it lacks none. */
  async lackingSince(zoneId: string, serial: number | null): Promise<Instant | null> {
    const row = await this.reads.run((tx) =>
      serial === null ? FIRST_RECENT.first(tx, [zoneId, zoneId]) : FIRST_LACKING.first(tx, [zoneId, zoneId, serial]),
    );
    return row?.at ?? null;
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
        row.notifiedSerial,
        row.inconsistency,
        row.inconsistentSince,
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

async function endOfPortion(tx: Transaction, marker: string): Promise<string | null> {
  return (await END_OF_PORTION.first(tx, [marker]))?.id ?? null;
}
