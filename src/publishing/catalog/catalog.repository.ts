import { Injectable } from '@nestjs/common';
import { allOf } from '../../common/all-of.js';
import type { Instant } from '../../common/clock.js';
import { bulkInsert, bulkUpdate } from '../../database/statements/bulk-write.js';
import { Lookup } from '../../database/statements/lookup.js';
import { Reads } from '../../database/reads.js';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import type { CatalogMemberEntity } from './catalog-member.entity.js';
import type { CatalogEntity } from './catalog.entity.js';

/** There is one for the pool. */
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

const COLUMNS =
  'zone_id AS "zoneId", name, added_serial AS "addedSerial", removed_serial AS "removedSerial", removed_at AS "removedAt",' +
  ' is_kept AS "isKept"';
const MEMBERS = new Statement<CatalogMemberEntity>(
  `SELECT ${COLUMNS} FROM catalog_members WHERE zone_id > ? ORDER BY zone_id LIMIT ?`,
);
const FIND_MEMBERS = new Lookup<CatalogMemberEntity>(`SELECT ${COLUMNS} FROM catalog_members WHERE zone_id = ?`, [
  'text',
]);
const FIND_ZONES = new Lookup<NamedZone>('SELECT id, name FROM zones WHERE id = ?', ['text']);
const IS_MEMBER = 'SELECT 1 FROM catalog_members m WHERE m.zone_id = z.id AND m.removed_serial IS NULL';
const MISSING = new Statement<{ id: string }>(`SELECT id FROM zones z WHERE NOT EXISTS (${IS_MEMBER}) LIMIT ?`);
const SURPLUS = new Statement<{ id: string }>(
  'SELECT zone_id AS id FROM catalog_members m WHERE removed_serial IS NULL AND is_kept = 0' +
    ' AND NOT EXISTS (SELECT 1 FROM zones z WHERE z.id = m.zone_id) LIMIT ?',
);
/** All that were abandoned: there are few, if any. */
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

export interface NamedZone {
  readonly id: string;
  readonly name: string;
}

/** A catalog and all that is known of its members, of one moment. */
export interface CatalogContents {
  readonly catalog: CatalogEntity;
  readonly members: readonly CatalogMemberEntity[];
}

/** The catalog zone as it is stored. */
@Injectable()
export class CatalogRepository {
  constructor(private readonly reads: Reads) {}

  /** `null` until it has been made. */
  async find(): Promise<CatalogEntity | null> {
    return (await this.reads.run((tx) => FIND.first(tx, [ID]))) ?? null;
  }

  /** `null` until it has been made. */
  async contents(): Promise<CatalogContents | null> {
    let catalog: CatalogEntity | undefined;
    const members: CatalogMemberEntity[] = [];
    const read = async function* (tx: Transaction): AsyncGenerator<CatalogMemberEntity> {
      catalog = await FIND.first(tx, [ID]);
      for (let page = await MEMBERS.rows(tx, ['', PAGE_SIZE]); page.length > 0;) {
        yield* page;
        page = await MEMBERS.rows(tx, [page.at(-1)?.zoneId ?? '', PAGE_SIZE]);
      }
    };
    for await (const member of this.reads.stream(read)) members.push(member);
    return catalog === undefined ? null : { catalog, members };
  }

  /** Up to `limit` ids of zones that are no members, and of members that are no zones. */
  strayIds(limit: number): Promise<string[]> {
    return this.reads.run(async (tx) => {
      const [missing, surplus] = [await MISSING.rows(tx, [limit]), await SURPLUS.rows(tx, [limit])];
      return [...missing, ...surplus].map(({ id }) => id);
    });
  }

  /** Those of the ids whose zone is no member, or whose member is no zone. */
  strayAmong(ids: readonly string[]): Promise<string[]> {
    return this.reads.run(async (tx) => {
      const { zones, members } = await this.among(tx, ids);
      return ids.filter((id) => zones.has(id) !== members.has(id));
    });
  }

  /** The zones and the present members of these ids; a zone that was abandoned is among both. */
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

  /** The catalog, made where it is missing, and held to the end of the transaction. */
  async lock(tx: Transaction, fresh: Omit<CatalogEntity, 'id'>): Promise<CatalogEntity> {
    await CREATE.run(tx, [ID, fresh.name, fresh.memberGroup, fresh.serial, fresh.historyFrom]);
    return (await LOCK.first(tx, [ID])) ?? { id: ID, ...fresh };
  }

  async update(tx: Transaction, { id, name, memberGroup, serial, historyFrom }: CatalogEntity): Promise<void> {
    await UPDATE.run(tx, [name, memberGroup, serial, historyFrom, id]);
  }

  async add(tx: Transaction, zones: readonly NamedZone[], serial: number): Promise<void> {
    await ADD.run(
      tx,
      zones.map(({ id, name }) => [id, name, serial]),
    );
  }

  /** The members whose zones were abandoned, and whose names these zones have again. */
  async keptInPlaceOf(tx: Transaction, zones: readonly NamedZone[]): Promise<CatalogMemberEntity[]> {
    if (zones.length === 0) return [];
    const names = new Set(zones.map(({ name }) => name.toLowerCase()));
    return (await KEPT.rows(tx, [])).filter(({ name }) => names.has(name.toLowerCase()));
  }

  async remove(tx: Transaction, members: readonly CatalogMemberEntity[], serial: number, at: Instant): Promise<void> {
    await REMOVE.run(
      tx,
      members.map(({ zoneId, name, addedSerial }) => [zoneId, name, addedSerial, serial, at]),
    );
  }

  /** Forgets the members that were removed before that time. Returns the serials with which they went. */
  async forget(tx: Transaction, before: Instant): Promise<number[]> {
    return (await FORGET.rows(tx, [before])).map(({ serial }) => serial);
  }
}
