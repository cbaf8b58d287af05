import { Injectable } from '@nestjs/common';
import type { Instant } from '../../common/clock.js';
import { IN_ZONE } from '../../database/statements/contents-id.js';
import { bulkDelete, bulkUpsert } from '../../database/statements/bulk-write.js';
import { Lookup } from '../../database/statements/lookup.js';
import { Reads } from '../../database/reads.js';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import { isRecentSql } from '../../zones/journal/journal-end.js';
import { IS_SERVED, servedSerialSql } from '../../zones/zone.repository.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { CATALOG_ID } from '../catalog/catalog.entity.js';
import { isInSyncSql, SERVER_ID } from './name-server-status.js';
import type { PublicationEntity } from './publication.entity.js';

/** A zone with the serial that name servers should have. */
export type WantedZone = Pick<ZoneEntity, 'id' | 'name' | 'serial'>;

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

const PORTION = 2000;
/** Sorts after every ID. */
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

/** BIND refuses zones beyond these defaults: `max-records-per-type` and `max-types-per-name` (since 9.18.28). */
const BEYOND_BIND = 100;
const LARGE_SET = new Statement<ExcessRow>(
  `SELECT name, type, record_count AS count FROM record_sets WHERE ${IN_ZONE}` +
    ` AND record_count > ${BEYOND_BIND} ORDER BY owner_key, type LIMIT 1`,
);
const CROWDED_NAME = new Statement<ExcessRow>(
  `SELECT MIN(name) AS name, NULL AS type, COUNT(*) AS count FROM record_sets WHERE ${IN_ZONE} AND record_count > 0` +
    ` GROUP BY owner_key HAVING COUNT(*) > ${BEYOND_BIND} LIMIT 1`,
);

/** Limit for the search of the first change that a server lacks. */
const RECENT_STEPS = 500;
const IS_LACKING = `NOT (${isInSyncSql('CAST(? AS bigint)', 'serial')})`;
const RECENT = `FROM journal WHERE ${isRecentSql(RECENT_STEPS)}`;
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

type StatusCounts = { readonly server: string } & Readonly<Record<keyof ZoneCounts, number | string>>;

interface StoredKey extends Pick<PublicationEntity, 'zoneId' | 'server'> {
  readonly hasZone: number;
}

/** Columns of the publication are `null` without a row. */
type LackingRow = Omit<PublicationEntity, 'zoneId'> & {
  readonly id: string;
  readonly name: string;
  readonly wanted: number;
  readonly zoneId: string | null;
};

interface PoolServer {
  readonly label: string;
  /** False: the server is only notified. */
  readonly isAsked: boolean;
}

export interface LackingZone {
  readonly zone: WantedZone;
  readonly row: PublicationEntity | null;
}

interface ZoneCounts {
  /** Zones with a stored status. */
  readonly present: number;
  /** Zones whose serial the server has answered. */
  readonly current: number;
  /** Zones whose NOTIFY the server has answered. */
  readonly told: number;
  readonly inconsistent: number;
}

export interface PortionOfZones {
  readonly zones: number;
  /** By server label. */
  readonly statuses: ReadonlyMap<string, ZoneCounts>;
  /** Number of stored rows, including those of deleted zones. */
  readonly rows: number;
  /** ID of the last zone; `null` in the last portion. */
  readonly end: string | null;
}

const KEY = { zone_id: 'text', server: 'text' } as const;
const WRITE = bulkUpsert('publications', KEY, {
  serial: 'bigint',
  changed_at: 'bigint',
  checked_at: 'bigint',
  error: 'text',
  failing_since: 'bigint',
  refusing_since: 'bigint',
  notified_serial: 'bigint',
  inconsistency: 'text',
  inconsistent_since: 'bigint',
});
const DELETE = bulkDelete('publications', KEY);

@Injectable()
export class PublicationRepository {
  constructor(private readonly reads: Reads) {}

  zones(ids: readonly string[]): Promise<WantedZone[]> {
    const keys = ids.map((id) => [id]);
    return this.reads.run((tx) => FIND_ZONES.rows(tx, [], keys));
  }

  pageOfZones(marker: string, limit: number): Promise<WantedZone[]> {
    return this.reads.run((tx) => PAGE_OF_ZONES.rows(tx, [marker, limit]));
  }

  pageByName(nameKey: string, limit: number): Promise<(WantedZone & { readonly nameKey: string })[]> {
    return this.compare((tx) => PAGE_BY_NAME.rows(tx, [nameKey, limit]));
  }

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

  /** Returns the last ID of the portion after `marker`; `null` in the last portion. */
  endOfPortion(marker: string): Promise<string | null> {
    return this.compare((tx) => endOfPortion(tx, marker));
  }

  /** Returns the zones of a portion that a server lacks or was not notified of. */
  async lacking({ label, isAsked }: PoolServer, after: string, upTo = END): Promise<LackingZone[]> {
    const statement = isAsked ? LACKING : UNTOLD;
    const rows = await this.compare((tx) => statement.rows(tx, [label, after, upTo]));
    return rows.map(({ id, name, wanted: serial, zoneId, ...row }) => ({
      zone: { id, name, serial },
      row: zoneId === null ? null : { zoneId, ...row },
    }));
  }

  /** Returns rows of deleted zones and of other servers. */
  async stale(servers: readonly string[], after: string, upTo = END): Promise<StoredKey[]> {
    const keys = await this.compare((tx) => KEYS.rows(tx, [after, upTo]));
    return keys.filter(({ server, hasZone }) => hasZone === 0 || !servers.includes(server));
  }

  /** Comparisons read all zones repeatedly, so they stay off the primary. */
  private compare<T>(read: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.reads.offPrimary(() => this.reads.run(read));
  }

  ofZones(ids: readonly string[]): Promise<PublicationEntity[]> {
    const keys = ids.map((id) => [id]);
    return this.reads.run((tx) => OF_ZONES.rows(tx, [], keys));
  }

  /** Returns the reason why BIND may refuse the zone, or `null`. */
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

  /** Returns the time of the first change that the server lacks, among the last 500; `null` if it lacks none. */
  async lackingSince(zoneId: string, serial: number | null): Promise<Instant | null> {
    const recent = [zoneId, zoneId, zoneId];
    const row = await this.reads.run((tx) =>
      serial === null ? FIRST_RECENT.first(tx, recent) : FIRST_LACKING.first(tx, [...recent, serial]),
    );
    return row?.at ?? null;
  }

  write(tx: Transaction, rows: readonly PublicationEntity[]): Promise<void> {
    return WRITE.runAll(tx, rows);
  }

  delete(tx: Transaction, rows: readonly Pick<PublicationEntity, 'zoneId' | 'server'>[]): Promise<void> {
    return DELETE.runAll(tx, rows);
  }
}

async function endOfPortion(tx: Transaction, marker: string): Promise<string | null> {
  return (await END_OF_PORTION.first(tx, [marker]))?.id ?? null;
}
