import { Injectable } from '@nestjs/common';
import { allOf } from '../../common/all-of.js';
import type { Instant } from '../../common/clock.js';
import { bulkInsert, bulkUpdate } from '../../database/statements/bulk-write.js';
import { FIELD_END, joinedFields } from '../../database/statements/joined-fields.js';
import { Lookup } from '../../database/statements/lookup.js';
import { Reads } from '../../database/reads.js';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import type { CatalogMemberEntity, CatalogEntity, CatalogMember } from './catalog.entity.js';

/** The pool has one catalog zone. */
const ID = 'pool';
const SELECT = 'SELECT id, name, member_group AS "memberGroup", serial, history_from AS "historyFrom" FROM catalogs';
const FIND = new Statement<CatalogEntity>(`${SELECT} WHERE id = ?`);
const LOCK = new Statement<CatalogEntity>(`${SELECT} WHERE id = ?`, `${SELECT} WHERE id = ? FOR UPDATE`);
const CREATE = new Statement(
  'INSERT INTO catalogs (id, name, member_group, serial, history_from) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING',
);
const UPDATE = new Statement(
  'UPDATE catalogs SET name = ?, member_group = ?, serial = ?, history_from = ? WHERE id = ?',
);

interface JoinedMembers {
  readonly count: number | string;
  readonly lastId: string | null;
  readonly text: string | null;
}

const COLUMNS =
  'zone_id AS "zoneId", name, added_serial AS "addedSerial", removed_serial AS "removedSerial", removed_at AS "removedAt",' +
  ' is_kept AS "isKept"';
const MEMBERS = new Statement<JoinedMembers>(
  `SELECT COUNT(*) AS count, MAX(zone_id) AS "lastId", ${joinedFields(['zone_id', 'name'])} AS text FROM (SELECT zone_id, name` +
    ' FROM catalog_members WHERE zone_id > ? AND removed_serial IS NULL ORDER BY zone_id LIMIT ?) r',
);
const MEMBERS_AT = new Statement<{ one: number }>(
  'SELECT 1 AS one FROM catalog_members WHERE removed_serial IS NULL LIMIT 1 OFFSET ?',
);
/** Whether the first serial equals or follows the second (RFC 1982). */
const reaches = (serial: string, other: string): string =>
  `(${serial} - ${other} + 4294967296) % 4294967296 < 2147483648`;
const ADDED = new Statement<CatalogMember>(
  'SELECT zone_id AS "zoneId", name FROM catalog_members' +
    ' WHERE added_serial >= ? AND added_serial <= ? AND removed_serial IS NULL LIMIT ?',
);
const REMOVED = new Statement<CatalogMember>(
  'SELECT zone_id AS "zoneId", name FROM catalog_members' +
    ` WHERE removed_serial >= ? AND removed_serial <= ? AND ${reaches('CAST(? AS bigint)', 'added_serial')} LIMIT ?`,
);
const CHANGE_WITH = new Statement<{ one: number }>(
  'SELECT 1 AS one FROM catalog_members WHERE added_serial = ? UNION ALL' +
    ' SELECT 1 AS one FROM catalog_members WHERE removed_serial = ? LIMIT 1',
);
const FIND_MEMBERS = new Lookup<CatalogMemberEntity>(`SELECT ${COLUMNS} FROM catalog_members WHERE zone_id = ?`, [
  'text',
]);
const FIND_ZONES = new Lookup<NamedZone>('SELECT id, name FROM zones WHERE id = ?', ['text']);
const IS_MEMBER = 'SELECT 1 FROM catalog_members m WHERE m.zone_id = z.id AND m.removed_serial IS NULL';
const MISSING = new Statement<{ id: string }>(
  `SELECT id FROM zones z WHERE id > ? AND id <= ? AND NOT EXISTS (${IS_MEMBER}) LIMIT ?`,
);
const SURPLUS = new Statement<{ id: string }>(
  'SELECT zone_id AS id FROM catalog_members m WHERE zone_id > ? AND zone_id <= ? AND removed_serial IS NULL AND is_kept = 0' +
    ' AND NOT EXISTS (SELECT 1 FROM zones z WHERE z.id = m.zone_id) LIMIT ?',
);
/** Abandoned zones are rare. */
const KEPT = new Statement<CatalogMemberEntity>(
  `SELECT ${COLUMNS} FROM catalog_members WHERE is_kept = 1 AND removed_serial IS NULL`,
);
const ADD = bulkInsert('catalog_members', { zone_id: 'text', name: 'text', added_serial: 'bigint' });
const REMOVE = bulkUpdate(
  'catalog_members',
  { zone_id: 'text' },
  { name: 'text', added_serial: 'bigint', removed_serial: 'bigint', removed_at: 'bigint' },
);
const FORGET = new Statement<{ serial: number }>(
  'DELETE FROM catalog_members WHERE removed_at < ? RETURNING removed_serial AS serial',
);

const PAGE_SIZE = 2000;
const LAST_SERIAL = 2 ** 32 - 1;
/** Sorts after every ID. */
const END = '~';

export interface NamedZone {
  readonly id: string;
  readonly name: string;
}

/** Net changes of members between two serials. */
export interface ChangedMembers {
  readonly added: readonly CatalogMember[];
  readonly removed: readonly CatalogMember[];
}

interface SerialRange {
  /** Exclusive. */
  readonly from: number;
  readonly to: number;
}

@Injectable()
export class CatalogRepository {
  constructor(private readonly reads: Reads) {}

  async find(): Promise<CatalogEntity | null> {
    return (await this.reads.fromAny(() => this.reads.run((tx) => FIND.first(tx, [ID])))) ?? null;
  }

  findIn(tx: Transaction): Promise<CatalogEntity | undefined> {
    return FIND.first(tx, [ID]);
  }

  async *members(tx: Transaction): AsyncGenerator<readonly CatalogMember[]> {
    for (let marker: string | null = ''; marker !== null;) {
      const page: JoinedMembers | undefined = await MEMBERS.first(tx, [marker, PAGE_SIZE]);
      yield membersIn(page?.text ?? null);
      marker = Number(page?.count) < PAGE_SIZE ? null : (page?.lastId ?? null);
    }
  }

  async hasMembers(tx: Transaction, count: number): Promise<boolean> {
    return (await MEMBERS_AT.first(tx, [count - 1])) !== undefined;
  }

  /** Returns added and removed members; `null` above `limit` additions or removals. */
  async changedBetween(tx: Transaction, range: SerialRange, limit: number): Promise<ChangedMembers | null> {
    const added: CatalogMember[] = [];
    const removed: CatalogMember[] = [];
    for (const [first, last] of spansOf(range)) {
      added.push(...(await ADDED.rows(tx, [first, last, limit + 1])));
      removed.push(...(await REMOVED.rows(tx, [first, last, range.from, limit + 1])));
    }
    return added.length > limit || removed.length > limit ? null : { added, removed };
  }

  async hasChangeWith(tx: Transaction, serial: number): Promise<boolean> {
    return (await CHANGE_WITH.first(tx, [serial, serial])) !== undefined;
  }

  /** Returns up to `limit` IDs of zones without member or members without zone, in a range of IDs. */
  strayWithin(limit: number, after: string, upTo = END): Promise<string[]> {
    const values = [after, upTo, limit];
    return this.reads.run(async (tx) => {
      const [missing, surplus] = [await MISSING.rows(tx, values), await SURPLUS.rows(tx, values)];
      return [...missing, ...surplus].map(({ id }) => id);
    });
  }

  strayAmong(ids: readonly string[]): Promise<string[]> {
    return this.reads.run(async (tx) => {
      const { zones, members } = await this.among(tx, ids);
      return ids.filter((id) => zones.has(id) !== members.has(id));
    });
  }

  /** Returns the zones and present members with these IDs. Abandoned zones count as both. */
  async among(
    tx: Transaction,
    ids: readonly string[],
  ): Promise<{
    readonly zones: ReadonlyMap<string, NamedZone>;
    readonly members: ReadonlyMap<string, CatalogMemberEntity>;
  }> {
    const keys = ids.map((id) => [id]);
    const [zones, members] = await allOf([FIND_ZONES.rows(tx, [], keys), FIND_MEMBERS.rows(tx, [], keys)]);
    const present = members.filter(({ removedSerial }) => removedSerial === null);
    const kept = present.filter(({ isKept }) => isKept === 1).map(({ zoneId, name }) => ({ id: zoneId, name }));
    return {
      zones: new Map([...kept, ...zones].map((zone) => [zone.id, zone])),
      members: new Map(present.map((member) => [member.zoneId, member])),
    };
  }

  /** Creates the catalog if missing, and locks it until the end of the transaction. */
  async lock(tx: Transaction, fresh: Omit<CatalogEntity, 'id'>): Promise<CatalogEntity> {
    await CREATE.run(tx, [ID, fresh.name, fresh.memberGroup, fresh.serial, fresh.historyFrom]);
    return (await this.lockPresent(tx)) ?? { id: ID, ...fresh };
  }

  lockPresent(tx: Transaction): Promise<CatalogEntity | undefined> {
    return LOCK.first(tx, [ID]);
  }

  async update(tx: Transaction, { id, name, memberGroup, serial, historyFrom }: CatalogEntity): Promise<void> {
    await UPDATE.run(tx, [name, memberGroup, serial, historyFrom, id]);
  }

  async add(tx: Transaction, zones: readonly NamedZone[], serial: number): Promise<void> {
    const rows = zones.map(({ id, name }) => [id, name, serial]);
    await ADD.run(tx, rows);
  }

  /** Returns abandoned members that these zones replace by name. */
  async keptInPlaceOf(tx: Transaction, zones: readonly NamedZone[]): Promise<CatalogMemberEntity[]> {
    if (zones.length === 0) return [];
    const names = new Set(zones.map(({ name }) => name.toLowerCase()));
    return (await KEPT.rows(tx, [])).filter(({ name }) => names.has(name.toLowerCase()));
  }

  async remove(tx: Transaction, members: readonly CatalogMemberEntity[], serial: number, at: Instant): Promise<void> {
    const rows = members.map((member) => ({ ...member, removedSerial: serial, removedAt: at }));
    await REMOVE.runAll(tx, rows);
  }

  /** Deletes members that were removed before that time. Returns the serials of their removal. */
  async forget(tx: Transaction, before: Instant): Promise<number[]> {
    return (await FORGET.rows(tx, [before])).map(({ serial }) => serial);
  }
}

function membersIn(text: string | null): CatalogMember[] {
  if (text === null) return [];
  const fields = text.split(FIELD_END);
  const members: CatalogMember[] = [];
  for (let at = 0; at < fields.length; at += 2) members.push({ zoneId: fields[at] ?? '', name: fields[at + 1] ?? '' });
  return members;
}

/** Returns the serials after `from` as ranges: two if they wrap around. */
function spansOf({ from, to }: SerialRange): readonly (readonly [number, number])[] {
  if (from === to) return [];
  if (from < to) return [[from + 1, to]];
  return [
    [from + 1, LAST_SERIAL],
    [0, to],
  ];
}
