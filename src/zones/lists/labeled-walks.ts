import type { LabelFilter } from '../../common/labels.js';
import { type ListWalk, narrowed } from '../../database/statements/filtered-pages.js';
import {
  hinted,
  indexedBy,
  lookedUp,
  primaryKeyOf,
  textKey,
  type WhereClause,
} from '../../database/statements/walk.js';
import type { Transaction } from '../../database/transaction.js';

/** Counting more would take longer than reading them. */
const MANY_LABELED = 2000;

/** Up to `MANY_LABELED`. @param of `null`: all tenants */
export async function countOf(tx: Transaction, of: string | null, label: LabelFilter): Promise<number> {
  const { from, where } = indexOfLabel(of, label);
  const sql = `SELECT COUNT(*) AS count FROM (SELECT 1 FROM ${from} WHERE ${where.sql} LIMIT ${MANY_LABELED}) n`;
  const row = await hinted<{ readonly count: number | string }>(sql).first(tx, where.values);
  return Number(row?.count ?? 0);
}

function indexOfLabel(of: string | null, { key, value }: LabelFilter) {
  const ofTenant = value === null ? 'zone_labels_by_key' : primaryKeyOf('zone_labels');
  const sql = `${of === null ? '' : 'l.tenant_id = ? AND '}l.key = ?${value === null ? '' : ' AND l.value = ?'}`;
  return {
    from: `zone_labels l${indexedBy(of === null ? 'zone_labels_of_all' : ofTenant)}`,
    where: { sql, values: [of, key, value].filter((one) => one !== null) },
  };
}

/** In the order of the names, if all zones are those of one tenant; otherwise, of the IDs. */
export function labeledWalk(of: string | null, label: LabelFilter, order: 'key' | 'created'): ListWalk {
  const { from, where } = indexOfLabel(of, label);
  const zones = lookedUp('zones', 'zones.id = l.zone_id');
  if (of !== null && order === 'key') {
    const index = `zone_labels_by_${label.value === null ? 'key' : 'value'}_and_name`;
    const key = [textKey('l.name_key'), textKey('l.zone_id')];
    return { from: `zone_labels l${indexedBy(index)}${zones}`, where, key, order: 'zones.name_key' };
  }
  const walk = { from: from + zones, where };
  if (of === null && label.value === null) return { ...walk, key: [textKey('l.value'), textKey('l.zone_id')] };
  return { ...walk, key: [textKey('l.zone_id')], order: 'zones.id' };
}

export function withLabels(walks: readonly ListWalk[], labels: readonly LabelFilter[]): ListWalk[] {
  return walks.map((walk) => labels.map(isLabeledSql).reduce(narrowed, walk));
}

export function isLabeledSql({ key, value }: LabelFilter): WhereClause {
  const sql = `EXISTS (SELECT 1 FROM zone_labels n WHERE n.tenant_id = zones.tenant_id AND n.key = ?${value === null ? '' : ' AND n.value = ?'} AND n.zone_id = zones.id)`;
  return { sql, values: [key, value].filter((one) => one !== null) };
}
