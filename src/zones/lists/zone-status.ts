import type { ZonePublication } from '../zone-publication.js';

/** SQL for the status of a row of `zones`. A secondary zone without a transfer is `PENDING`. */
export function statusSql(publication: ZonePublication): string {
  const refusedSince = 'SELECT t.refused_since FROM transfers_in t WHERE t.zone_id = zones.id';
  const isSecondary = "zones.type = 'SECONDARY'";
  return (
    `CASE WHEN ${isSecondary} AND (${refusedSince}) IS NOT NULL THEN 'ERROR'` +
    ` WHEN ${isSecondary} AND zones.transferred_at IS NULL THEN 'PENDING'` +
    ` ELSE ${publication.statusSql('zones.id', 'zones.serial')} END`
  );
}
