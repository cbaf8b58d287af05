import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { type LabelFilter, type LabelsColumn, hasLabels, labelsOf } from '../common/labels.js';
import { Slices } from '../common/waiting/slices.js';
import { Reads } from '../database/reads.js';
import { contentsOf, IN_ZONE } from '../database/statements/contents-id.js';
import { Statement } from '../database/statements/statement.js';
import { primaryKeyOf } from '../database/statements/walk.js';
import type { LabeledSet } from '../plugins/change-listener.js';
import { ZoneRepository } from '../zones/zone.repository.js';

/** A record set with labels. */
export interface IdentifiedSet extends LabeledSet {
  readonly id: string;
}

export interface LabeledSetPage {
  readonly sets: readonly IdentifiedSet[];
  /** Marker of the next page; `null` at the end. */
  readonly next: string | null;
}

type Row = Pick<IdentifiedSet, 'id' | 'name' | 'type'> & LabelsColumn;

const AT_A_TIME = 200;

/** In order of creation. `ids` has a `?` for the zone, one for the marker, and others. */
function pageOf(index: string, ids: string, others: string): Statement<Row> {
  const sql = (label: string, set: string): string =>
    `SELECT s.id, s.name, s.type, s.labels FROM (SELECT ${ids} record_set_id FROM record_set_labels${label}` +
    ` WHERE ${IN_ZONE} AND record_set_id > ?${others} ORDER BY record_set_id LIMIT ${AT_A_TIME}) l` +
    ` CROSS JOIN record_sets s${set} WHERE s.zone_id = ${contentsOf('?')} AND s.id = l.record_set_id ORDER BY s.id`;
  return new Statement<Row>(sql(` INDEXED BY ${index}`, ' INDEXED BY record_sets_id'), sql('', ''));
}

const PRIMARY_KEY = primaryKeyOf('record_set_labels');
const ALL = pageOf(PRIMARY_KEY, 'DISTINCT', '');
const WITH_KEY = pageOf(PRIMARY_KEY, '', ' AND key = ?');
const WITH_VALUE = pageOf('record_set_labels_by_value', '', ' AND key = ? AND value = ?');

const AT_OWNER = new Statement<Row>(
  `SELECT id, name, type, labels FROM record_sets WHERE ${IN_ZONE} AND owner_key = ? AND labels IS NOT NULL ORDER BY type`,
);

/** Reads record sets that have labels (behaviour 7.8). */
@Injectable()
export class LabeledSets {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly reads: Reads,
  ) {}

  /**
   * A page with `limit` sets, or fewer at the end or behind many sets that lack a further label.
   * @param marker id of the last set of the previous page; `''`: first page
   * @throws ServiceError `zone_not_found`
   */
  async page(
    zoneId: string,
    caller: Caller,
    filters: readonly LabelFilter[],
    { marker, limit }: { readonly marker: string; readonly limit: number },
  ): Promise<LabeledSetPage> {
    const { id } = await this.zones.findOwned(zoneId, caller);
    const sets: IdentifiedSet[] = [];
    const slices = new Slices();
    for (let after = marker; ;) {
      const rows = await this.read(id, after, filters);
      sets.push(...labeledSets(rows, filters));
      const last = rows.at(-1);
      if (last === undefined || rows.length < AT_A_TIME || sets.length >= limit) return cut(sets, limit, last, rows);
      after = last.id;
      if (slices.isOver(rows.length * ROW_OCTETS)) await slices.pause();
    }
  }

  /** The sets at an owner name. @throws ServiceError `zone_not_found` */
  async atOwner(
    zoneId: string,
    caller: Caller,
    filters: readonly LabelFilter[],
    ownerKey: string,
  ): Promise<LabeledSetPage> {
    const { id } = await this.zones.findOwned(zoneId, caller);
    const rows = await this.reads.run((tx) => AT_OWNER.rows(tx, [id, ownerKey]));
    return { sets: labeledSets(rows, filters), next: null };
  }

  private read(zoneId: string, after: string, [first]: readonly LabelFilter[]): Promise<Row[]> {
    return this.reads.run((tx) => {
      if (first === undefined) return ALL.rows(tx, [zoneId, after, zoneId]);
      const { key, value } = first;
      return value === null
        ? WITH_KEY.rows(tx, [zoneId, after, key, zoneId])
        : WITH_VALUE.rows(tx, [zoneId, after, key, value, zoneId]);
    });
  }
}

function labeledSets(rows: readonly Row[], filters: readonly LabelFilter[]): IdentifiedSet[] {
  return rows
    .map((row) => ({ id: row.id, name: row.name, type: row.type, labels: labelsOf(row) }))
    .filter(({ labels }) => hasLabels(labels, filters));
}

const ROW_OCTETS = 512;

function cut(
  sets: readonly IdentifiedSet[],
  limit: number,
  last: Row | undefined,
  rows: readonly Row[],
): LabeledSetPage {
  const shown = sets.slice(0, limit);
  const isEnd = sets.length <= limit && (last === undefined || rows.length < AT_A_TIME);
  return { sets: shown, next: isEnd ? null : (shown.at(-1)?.id ?? last?.id ?? null) };
}
