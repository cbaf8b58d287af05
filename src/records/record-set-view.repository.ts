import { Injectable } from '@nestjs/common';
import { contentsOf, IN_ZONE, zoneOf } from '../database/statements/contents-id.js';
import { Lookup } from '../database/statements/lookup.js';
import { Statement } from '../database/statements/statement.js';
import type { Transaction } from '../database/transaction.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import { type PublicationStatus, ZonePublication } from '../zones/zone-publication.js';
import { type LabelsColumn, labelsOf } from '../common/labels.js';
import { ZONE_COLUMNS } from '../zones/zone.repository.js';
import { creatorSql } from './record-set-creator.repository.js';
import type { SetKey } from './record-set.entity.js';
import type { RecordSetView, ValueView } from './record-set-view.js';

export interface ZoneView extends Readonly<ZoneEntity> {
  readonly status: PublicationStatus;
  /** 1 if NS records are stored at the apex, else 0. The generated NS set includes them. */
  readonly apexNsSets: number;
}

export interface SetPage<Viewed extends RecordSetView = ViewedSet> {
  readonly sets: readonly Viewed[];
  readonly hasNext: boolean;
}

/** A stored set; a managed set has only its stored values. */
export interface ViewedSet extends RecordSetView, SetKey {}

interface SetRow extends Omit<ViewedSet, 'values' | 'isManaged' | 'labels'>, LabelsColumn {
  readonly octets: number;
}

/** A record joined to its set. All fields are null for a set without records. */
interface ValueRow {
  readonly recordId: string | null;
  readonly priority: number | null;
  readonly data: string;
  readonly recordDescription: string | null;
}

type PageRow = Pick<
  SetRow,
  'id' | 'name' | 'type' | 'ttl' | 'labels' | 'version' | 'createdAt' | 'updatedAt' | 'octets' | 'status'
> & { readonly creatorId: string | null };

type JoinedRow<Row> = Row &
  ValueRow & {
    /** PostgreSQL only: number of sets before the octet limit. */
    readonly fetched?: number;
  };

/** Most RDATA octets of one page, to bound memory. */
const PAGE_OCTETS = 2 ** 18;
/**
 * Steps of the page LIMIT, including the set after the page. PostgreSQL estimates a LIMIT parameter as a tenth of the
 * table.
 * It then plans each page anew, which takes longer than a page of 20.
 */
const PAGE_SIZES = [32, 128, 1024];

const VALUES = 'r.id AS "recordId", r.priority, r.data, r.description AS "recordDescription"';
const VALUES_OR_NOTHING =
  'r.id AS "recordId", r.priority, r.data,' + ' COALESCE(s.description, r.description) AS "recordDescription"';
/** Without a hint SQLite would rather walk a whole zone than fetch the records of a set one by one. */
const BY_OWNER = ' INDEXED BY records_fingerprint';
/** Otherwise SQLite would sort a whole zone by ids. */
const BY_ID = ' INDEXED BY record_sets_id';
const VALUES_OF_SET = (hint: string): string =>
  `SELECT ${VALUES} FROM records r${hint} WHERE r.zone_id = ${contentsOf('?')} AND r.owner_key = ? AND r.type = ?`;
const FIND_VALUES = new Lookup<ValueRow>(VALUES_OF_SET(BY_OWNER), ['text', 'text', 'text'], VALUES_OF_SET(''));
const APEX_NS = new Statement<ValueRow & { readonly setTtl: number | null }>(
  `SELECT ${VALUES}, s.ttl AS "setTtl" FROM record_sets s JOIN records r` +
    ' ON r.zone_id = s.zone_id AND r.owner_key = s.owner_key AND r.type = s.type' +
    ` WHERE s.zone_id = ${contentsOf('?')} AND s.owner_key = ? AND s.type = 'NS'`,
);
const ZONE_ID = zoneOf('s.zone_id');
const CREATOR = creatorSql(ZONE_ID, 's.id');
const ZONE_SERIAL = `(SELECT z.serial FROM zones z WHERE z.id = ${ZONE_ID})`;
const STORED = `record_sets s JOIN zones z ON z.id = ${ZONE_ID}`;
const NOT_APEX_NS = "NOT (s.type = 'NS' AND s.owner_key = z.name_key)";
const EXISTS = new Statement<unknown>(`SELECT 1 FROM record_sets WHERE ${IN_ZONE} AND id = ?`);
const zoneOfSetSql = (hint: string): string =>
  `SELECT ${ZONE_ID} AS "zoneId" FROM record_sets s${hint} WHERE s.zone_id = ${contentsOf('?')} AND s.id = ?`;
const ZONE_OF_SET = new Lookup<{ readonly zoneId: string }>(zoneOfSetSql(BY_ID), ['text', 'text'], zoneOfSetSql(''));

@Injectable()
export class RecordSetViewRepository {
  private readonly found = joined(
    `SELECT ${this.columns()} FROM ${STORED} WHERE s.zone_id = ${contentsOf('?')} AND s.id = ? AND ${NOT_APEX_NS}`,
  );
  private readonly pages = PAGE_SIZES.map((size) => ({ size, statement: this.pageStatement(size) }));
  private readonly largePage = this.pageStatement(null);
  private readonly zone = new Statement<ZoneView>(this.zoneView());
  private readonly zones = new Lookup<ZoneView>(this.zoneView(), ['text']);
  private readonly entries = new Lookup<SetRow>(this.entrySql(BY_ID), ['text', 'text'], this.entrySql(''));

  constructor(private readonly publication: ZonePublication) {}

  findZone(tx: Transaction, id: string): Promise<ZoneView | undefined> {
    return this.zone.first(tx, [id]);
  }

  findZones(tx: Transaction, ids: readonly string[]): Promise<ZoneView[]> {
    const keys = ids.map((id) => [id]);
    return this.zones.rows(tx, [], keys);
  }

  /** Never returns the apex NS set. */
  async find(tx: Transaction, zoneId: string, id: string): Promise<ViewedSet | undefined> {
    const rows = await this.found.rows(tx, [zoneId, id]);
    return rows[0] && setOf(rows[0], rows);
  }

  async apexNs(tx: Transaction, zoneId: string, apexKey: string): Promise<Pick<RecordSetView, 'values' | 'ttl'>> {
    const rows = inOrder(await APEX_NS.rows(tx, [zoneId, apexKey]));
    return { values: rows.map(({ priority, data }) => ({ priority, data })), ttl: rows[0]?.setTtl ?? null };
  }

  /** Sets in order of creation, without the apex NS. */
  async pageOf(
    tx: Transaction,
    zone: Readonly<ZoneEntity>,
    marker: string,
    limit: number,
  ): Promise<SetPage<RecordSetView>> {
    const cut = new Cut(limit);
    const values = [zone.id, marker, zone.nameKey, limit + 1];
    const { statement } = this.pages.find(({ size }) => limit < size) ?? { statement: this.largePage };
    const rows = await statement.rowsUntil(tx, values, (row) => cut.endsBefore(row));
    const groups = groupsOf(rows);
    if (cut.isReached) groups.pop();
    const shown = groups.slice(0, limit);
    const fetched = rows[0]?.fetched ?? groups.length;
    return { sets: shown.map((ofSet) => setOfZone(zone, ofSet)), hasNext: cut.isReached || fetched > shown.length };
  }

  async findEach(tx: Transaction, sets: readonly Pick<ViewedSet, 'zoneId' | 'id'>[]): Promise<ViewedSet[]> {
    const ids = sets.map(({ zoneId, id }) => [zoneId, id]);
    const rows = await this.entries.rows(tx, [], ids);
    const keys = rows.map(({ zoneId, ownerKey, type }) => [zoneId, ownerKey, type]);
    const values = await FIND_VALUES.rowsByKey(tx, [], keys);
    return rows.map((row, at) => setOf(row, values[at] ?? []));
  }

  async exists(tx: Transaction, zoneId: string, id: string): Promise<boolean> {
    return (await EXISTS.first(tx, [zoneId, id])) !== undefined;
  }

  async zoneAmong(tx: Transaction, id: string, zoneIds: readonly string[]): Promise<string | null> {
    const keys = zoneIds.map((zoneId) => [zoneId, id]);
    const [found] = await ZONE_OF_SET.rows(tx, [], keys);
    return found?.zoneId ?? null;
  }

  /** Only one index has this order. With a plan from an empty table, PostgreSQL would otherwise scan the whole zone. */
  private zoneView(): string {
    const status = this.publication.statusSql('z.id', 'z.serial');
    const atApex = `s.zone_id = ${contentsOf('z.id')} AND s.owner_key = z.name_key AND s.type >= 'NS'`;
    const first = `(SELECT s.type FROM record_sets s WHERE ${atApex} ORDER BY s.type LIMIT 1)`;
    const apexNs = `CASE ${first} WHEN 'NS' THEN 1 ELSE 0 END AS "apexNsSets"`;
    return `SELECT ${ZONE_COLUMNS}, ${status} AS status, ${apexNs} FROM zones z WHERE z.id = ?`;
  }

  private entrySql(hint: string): string {
    const from = `record_sets s${hint} JOIN zones z ON z.id = ${ZONE_ID}`;
    return `SELECT ${this.columns()} FROM ${from} WHERE s.zone_id = ${contentsOf('?')} AND s.id = ?`;
  }

  private columns(): string {
    return (
      `${this.ownColumns('z.serial')}, z.name AS "zoneName", z.name_key AS "zoneNameKey",` +
      ` z.tenant_id AS "zoneTenantId",` +
      ` COALESCE(${CREATOR}, z.tenant_id) AS "tenantId"`
    );
  }

  private ownColumns(zoneSerial: string): string {
    return (
      `s.id, ${ZONE_ID} AS "zoneId", s.owner_key AS "ownerKey", s.name, s.type, s.ttl,` +
      ` s.description, s.labels, s.version, s.created_at AS "createdAt", s.updated_at AS "updatedAt", s.octets,` +
      ` ${this.statusSql(zoneSerial)} AS status`
    );
  }

  /** A set that is not served is never pending. */
  private statusSql(zoneSerial: string): string {
    const status = this.publication.statusSql(ZONE_ID, `COALESCE(s.serial, ${zoneSerial})`);
    return `CASE WHEN s.record_count = 0 THEN 'ACTIVE' ELSE ${status} END`;
  }

  /**
   * Sets of a zone after an id, with their records. SQLite streams and stops at the page end. PostgreSQL returns all
   * rows, so the statement first limits the number of sets. `size` is for its planner.
   */
  private pageStatement(size: number | null): Statement<JoinedRow<PageRow>> {
    const shown = 's.id, s.name, s.type, s.ttl, s.labels, s.version';
    const behind = `s.zone_id = ${contentsOf('?')} AND s.id > ? AND NOT (s.type = 'NS' AND s.owner_key = ?)`;
    const columns =
      `${shown}, s.created_at AS "createdAt", s.updated_at AS "updatedAt", s.octets,` +
      ` ${this.statusSql(ZONE_SERIAL)} AS status, ${CREATOR} AS "creatorId"`;
    const all = `SELECT ${this.ownColumns(ZONE_SERIAL)}, ${CREATOR} AS "creatorId" FROM record_sets s WHERE ${behind} ORDER BY s.id`;
    const sets = size === null ? all : `SELECT * FROM (${all} LIMIT ${size}) a ORDER BY id`;
    const cut = `SELECT p.*, COUNT(*) OVER () AS fetched, SUM(octets) OVER (ORDER BY id) - octets AS before FROM (${sets} LIMIT ?) p`;
    return new Statement<JoinedRow<PageRow>>(
      `SELECT ${columns}, ${VALUES_OR_NOTHING} FROM record_sets s${BY_ID} LEFT JOIN records r${BY_OWNER}` +
        ' ON r.zone_id = s.zone_id AND r.owner_key = s.owner_key AND r.type = s.type' +
        ` WHERE ${behind} AND ? > 0 ORDER BY s.id`,
      `SELECT ${shown}, s."createdAt", s."updatedAt", s.octets, s.status, s."creatorId", s.fetched, ${VALUES_OR_NOTHING} FROM (${cut}) s` +
        ` LEFT JOIN LATERAL (${RECORDS_OF_VIEWED}) r ON TRUE WHERE s.before < ${PAGE_OCTETS}`,
    );
  }
}

/** Joins sets with their records in one statement, for one snapshot. */
function joined(sets: string): Statement<JoinedRow<SetRow>> {
  return new Statement<JoinedRow<SetRow>>(
    `SELECT s.*, ${VALUES_OR_NOTHING} FROM (${sets}) s LEFT JOIN records r${BY_OWNER} ON ${OF_VIEWED}`,
    `SELECT s.*, ${VALUES_OR_NOTHING} FROM (${sets}) s LEFT JOIN LATERAL (${RECORDS_OF_VIEWED}) r ON TRUE`,
  );
}

const OF_VIEWED = `r.zone_id = ${contentsOf('s."zoneId"')} AND r.owner_key = s."ownerKey" AND r.type = s.type`;
/** OFFSET 0 keeps the planner from reading more than the records of the sets. */
const RECORDS_OF_VIEWED = `SELECT * FROM records r WHERE ${OF_VIEWED} OFFSET 0`;

class Cut {
  private id = '';
  private sets = 0;
  private octets = 0;
  isReached = false;

  constructor(private readonly limit: number) {}

  endsBefore({ id, octets }: Pick<SetRow, 'id' | 'octets'>): boolean {
    if (id === this.id) return false;
    this.isReached = this.octets >= PAGE_OCTETS || this.sets === this.limit;
    this.id = id;
    this.sets += 1;
    this.octets += octets;
    return this.isReached;
  }
}

function groupsOf<Row extends { readonly id: string }>(rows: readonly Row[]): Group<Row>[] {
  const groups: [Row, ...Row[]][] = [];
  const byId = new Map<string, [Row, ...Row[]]>();
  for (const row of rows) {
    const known = byId.get(row.id);
    if (known !== undefined) known.push(row);
    else {
      const group: [Row, ...Row[]] = [row];
      byId.set(row.id, group);
      groups.push(group);
    }
  }
  return groups.sort(([one], [other]) => (one.id < other.id ? -1 : 1));
}

type Group<Row> = readonly [Row, ...Row[]];

/** Field by field: spreading a row makes an object that is slow to read. */
function setOfZone(zone: Readonly<ZoneEntity>, rows: Group<JoinedRow<PageRow>>): RecordSetView {
  const [row] = rows;
  const records = inOrder(rows);
  return {
    id: row.id,
    zoneId: zone.id,
    zoneName: zone.name,
    zoneNameKey: zone.nameKey,
    zoneTenantId: zone.tenantId,
    tenantId: row.creatorId ?? zone.tenantId,
    name: row.name,
    type: row.type,
    values: records.map(valueOf),
    ttl: row.ttl,
    description: (records[0] ?? row).recordDescription,
    labels: labelsOf(row),
    version: row.version,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    status: row.status,
    isManaged: false,
  };
}

function setOf(row: SetRow, rows: readonly ValueRow[]): ViewedSet {
  const {
    id,
    zoneId,
    zoneName,
    zoneNameKey,
    zoneTenantId,
    tenantId,
    ownerKey,
    name,
    type,
    ttl,
    version,
    createdAt,
    updatedAt,
    status,
  } = row;
  const records = inOrder(rows);
  const values = records.map(valueOf);
  const description = row.description ?? records[0]?.recordDescription ?? null;
  const times = { version, createdAt, updatedAt };
  const zone = { zoneId, zoneName, zoneNameKey, zoneTenantId, tenantId };
  return {
    id,
    ...zone,
    ownerKey,
    name,
    type,
    values,
    ttl,
    description,
    labels: labelsOf(row),
    ...times,
    status,
    isManaged: false,
  };
}

function valueOf({ priority, data }: ValueRow): ValueView {
  return { priority, data };
}

function inOrder<Row extends ValueRow>(rows: readonly Row[]): Row[] {
  const records = rows.filter(({ recordId }) => recordId !== null);
  return records.length < 2
    ? records
    : records.sort((one, other) => ((one.recordId ?? '') < (other.recordId ?? '') ? -1 : 1));
}
