import { Injectable } from '@nestjs/common';
import { Statement } from '../../database/statements/statement.js';
import { indexedBy } from '../../database/statements/walk.js';
import type { Transaction } from '../../database/transaction.js';
import { ZonePublication, type ZoneRowsSql } from '../../zones/zone-publication.js';
import { IS_SERVED, servedSerialSql } from '../../zones/zone.repository.js';
import { PublishingOptions } from '../publishing.options.js';
import { isInSyncSql, LASTING_REFUSAL } from './name-server-status.js';
import { serverLabel } from '../publishing-readers.js';

const KEEP_MEMBER = new Statement(
  'UPDATE catalog_members SET is_kept = 1 WHERE zone_id = ? AND removed_serial IS NULL',
);

const HAVING = new Statement<{ readonly server: string }>(
  `SELECT server FROM publications WHERE zone_id = ? AND inconsistency IS NULL AND ${isInSyncSql('serial', '?')}`,
);

// COUNT, as in the status below.
const IS_BEHIND =
  `${IS_SERVED} AND (SELECT COUNT(*) FROM publications p WHERE p.zone_id = zones.id AND p.server = ?` +
  ` AND p.inconsistency IS NULL AND ${isInSyncSql('p.serial', servedSerialSql('zones.'))}) = 0`;

const isFailed = (of: string): string => `(${of}.refusing_since IS NOT NULL OR ${of}.inconsistency IS NOT NULL)`;
/** Several servers may have failed for a zone. */
const IS_FIRST = `NOT EXISTS (SELECT 1 FROM publications o WHERE o.zone_id = p.zone_id AND o.server < p.server AND ${isFailed('o')})`;
const FAILED: ZoneRowsSql = {
  from: `publications p${indexedBy('publications_failed')}`,
  where: `${isFailed('p')} AND ${IS_FIRST}`,
  zoneId: 'p.zone_id',
};

/** A change is published when all servers have answered its serial and no sample differs (behaviour 12.5, 12.7). */
@Injectable()
export class PoolPublication extends ZonePublication {
  private readonly servers: readonly string[];

  constructor(options: PublishingOptions) {
    super();
    this.servers = options.servers.map(serverLabel);
  }

  override statusSql(zoneId: string, serial: string): string {
    if (this.servers.length === 0) return "'ACTIVE'";
    const servers = this.servers.map((text) => `'${text.replaceAll("'", "''")}'`).join(', ');
    const having = `COUNT(CASE WHEN p.inconsistency IS NULL AND ${isInSyncSql('p.serial', serial)} THEN 1 END)`;
    const isLasting = `(p.serial IS NOT NULL OR p.checked_at - p.refusing_since >= ${LASTING_REFUSAL})`;
    const refusing = `COUNT(CASE WHEN (p.refusing_since IS NOT NULL AND ${isLasting}) OR p.inconsistency IS NOT NULL THEN 1 END)`;
    // COUNT instead of EXISTS: with EXISTS, PostgreSQL reads the publications of all zones instead of looking up one.
    return (
      `(SELECT CASE WHEN ${having} = ${this.servers.length} THEN 'ACTIVE' WHEN ${refusing} > 0 THEN 'ERROR' ELSE 'PENDING' END` +
      ` FROM publications p WHERE p.zone_id = ${zoneId} AND p.server IN (${servers}))`
    );
  }

  override failedSql(): readonly ZoneRowsSql[] {
    return this.servers.length === 0 ? [] : [FAILED];
  }

  override behindSql(server: string): ReturnType<ZonePublication['behindSql']> {
    return this.servers.includes(server) ? { sql: IS_BEHIND, values: [server] } : super.behindSql(server);
  }

  override async lacking(tx: Transaction, zoneId: string, serial: number): Promise<readonly string[]> {
    const having = await HAVING.rows(tx, [zoneId, serial]);
    return this.servers.filter((label) => !having.some(({ server }) => server === label));
  }

  /** Keeps the zone in the catalog, so that servers keep their copies. */
  override async abandon(tx: Transaction, zoneId: string): Promise<void> {
    await KEEP_MEMBER.run(tx, [zoneId]);
  }
}
