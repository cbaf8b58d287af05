import { Injectable } from '@nestjs/common';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import { ZonePublication } from '../../zones/zone-publication.js';
import { PublishingOptions } from '../publishing.options.js';
import { isInSyncSql } from './is-in-sync.js';
import { serverLabel } from './server-label.js';

const KEEP_MEMBER = new Statement(
  'UPDATE catalog_members SET is_kept = 1 WHERE zone_id = ? AND removed_serial IS NULL',
);

const HAVING = new Statement<{ readonly server: string }>(
  `SELECT server FROM publications WHERE zone_id = ? AND inconsistency IS NULL AND ${isInSyncSql('serial', '?')}`,
);

/** A server that has never had the zone may not have read of it in the catalog yet: so long that is no refusal, in microseconds. */
export const LASTING_REFUSAL = 30_000_000;

/** Changes have arrived when every server of the pool has answered their serial, and no sample differs (behaviour 12.5, 12.7). */
@Injectable()
export class PoolPublication extends ZonePublication {
  private readonly servers: readonly string[];

  constructor(options: PublishingOptions) {
    super();
    this.servers = options.servers.map(serverLabel);
  }

  override statusSql(zoneId: string, serial: string): string {
    if (this.servers.length === 0) return "'ACTIVE'";
    const servers = this.servers.map(quoted).join(', ');
    const having = `COUNT(CASE WHEN p.inconsistency IS NULL AND ${isInSyncSql('p.serial', serial)} THEN 1 END)`;
    const isLasting = `(p.serial IS NOT NULL OR p.checked_at - p.refusing_since >= ${LASTING_REFUSAL})`;
    const refusing = `COUNT(CASE WHEN (p.refusing_since IS NOT NULL AND ${isLasting}) OR p.inconsistency IS NOT NULL THEN 1 END)`;
    // Counted together, and not by EXISTS: for that PostgreSQL would rather read the publications of all zones than look up
    // those of one.
    return (
      `(SELECT CASE WHEN ${having} = ${this.servers.length} THEN 'ACTIVE' WHEN ${refusing} > 0 THEN 'ERROR' ELSE 'PENDING' END` +
      ` FROM publications p WHERE p.zone_id = ${zoneId} AND p.server IN (${servers}))`
    );
  }

  override async lacking(tx: Transaction, zoneId: string, serial: number): Promise<readonly string[]> {
    const having = await HAVING.rows(tx, [zoneId, serial]);
    return this.servers.filter((label) => !having.some(({ server }) => server === label));
  }

  /** It stays a member of the catalog zone: a server that does not read that one keeps its copy anyway. */
  override async abandon(tx: Transaction, zoneId: string): Promise<void> {
    await KEEP_MEMBER.run(tx, [zoneId]);
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
