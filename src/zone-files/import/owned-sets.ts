import { labelsOf, MOST_LABELS, OWNER_LABEL, readLabels } from '../../common/labels.js';
import { ServiceError } from '../../common/service-error.js';
import type { Transaction } from '../../database/transaction.js';
import { displayName, DomainName } from '../../dns/name.js';
import { ALIAS, ALIAS_ADDRESSES } from '../../dns/rdata/index.js';
import type { Merged, RecordMerging } from '../../records/changes/record-merging.js';
import { setKeyOf } from '../../records/changes/set-notes.js';
import type { RecordContent } from '../../records/record-content.js';
import type { RecordSetEntity, SetKey } from '../../records/record-set.entity.js';
import type { RecordSetRepository } from '../../records/record-set.repository.js';
import type { RecordEntity } from '../../records/record.entity.js';
import type { RecordRepository } from '../../records/record.repository.js';
import type { ZoneChange } from '../../zones/changes/zone-change.js';

/** Restricts an import to the record sets of one owner (behaviour 17.14). */
export interface SetOwner {
  readonly name: string;
  /** Whether the import takes the sets of the file that have no owner. */
  readonly adopts: boolean;
}

export interface NewlyLabeled extends Pick<RecordSetEntity, 'name' | 'type'> {
  /** `owner=NAME`. */
  readonly label: string;
}

/** Result of an import with an owner. */
export interface OwnedCounts {
  /** Records of the owner before the import. */
  readonly records: number;
  /** Record sets that get the label. */
  readonly labels: number;
  /** The first 1,000. */
  readonly labeled: readonly NewlyLabeled[];
  /** Sets of the file that stay, with the line of the first. */
  readonly notes: readonly { readonly line: number; readonly message: string }[];
}

interface Placed {
  readonly line: number;
  readonly content: RecordContent;
}

interface Repositories {
  readonly merging: RecordMerging;
  readonly records: RecordRepository;
  readonly recordSets: RecordSetRepository;
}

const MAX_LABELED = 1000;
/** As many as an import reports. */
const MAX_CONFLICTS = 1000;
/** The value for sets without an owner. */
const NOBODY = '';

/** Decides which record sets one import changes, and labels the sets that it creates. */
export class OwnedSets {
  private records = 0;
  private labels = 0;
  private readonly labeled: NewlyLabeled[] = [];
  /** Sets of others that have records which the file lacks. */
  private readonly conflicts = new Set<string>();
  private readonly staying = new Map<'unowned' | 'other', { readonly first: Placed; owner: string; count: number }>();

  constructor(
    readonly owner: SetOwner,
    private readonly change: ZoneChange,
    private readonly stored: Repositories,
  ) {}

  counts(): OwnedCounts {
    const { records, labels, labeled } = this;
    const notes = [...this.staying.values()].map(({ first: { line, content }, owner, count }) => {
      const shown = `${count} record${count === 1 ? '' : 's'}`;
      const set = textOf(content);
      const message =
        owner === NOBODY
          ? `left alone: ${shown} without an owner, first ${set}; --adopt gives the sets to ${this.owner.name}`
          : `left alone: ${shown} of other owners, first ${set} of ${owner}; leave the sets out of the file`;
      return { line, message };
    });
    return { records, labels, labeled, notes };
  }

  /**
   * The records that leave the zone, of those that the file lacks. An ALIAS takes its addresses along: they have no owner.
   * @param seen their sets that the file has
   */
  async leaving(
    tx: Transaction,
    missing: readonly RecordEntity[],
    seen: readonly SetKey[],
  ): Promise<{ readonly records: readonly RecordEntity[]; readonly followed: ReadonlySet<string> }> {
    const inFile = new Set(seen.map(setKeyOf));
    const rows = await this.rowsOf(tx, missing);
    const own = missing.filter((record) => {
      const row = rows.get(setKeyOf(record));
      return row !== undefined && this.otherOwner(row, inFile.has(setKeyOf(record))) === null;
    });
    const aliases = own.filter(({ type }) => type === ALIAS.name);
    const sets = aliases.flatMap(({ ownerKey }) => ALIAS_ADDRESSES.map((type) => ({ ownerKey, type })));
    const addresses = sets.length === 0 ? [] : await this.stored.records.ofSets(tx, this.change.zone.id, sets);
    const leaving = new Map([...own, ...addresses].map((record) => [record.id, record]));
    for (const record of missing)
      if (!leaving.has(record.id) && inFile.has(setKeyOf(record)) && this.conflicts.size < MAX_CONFLICTS)
        this.conflicts.add(setKeyOf(record));
    this.records += leaving.size;
    return { records: [...leaving.values()], followed: new Set(sets.map(setKeyOf)) };
  }

  /** Turns changes of other sets into faults, and labels the new sets. */
  async judge(tx: Transaction, entries: readonly Placed[], merged: readonly (Merged | undefined)[]) {
    const rows = await this.rowsOf(
      tx,
      entries.map(({ content }) => content),
    );
    const judged = entries.map((entry, at) => this.judgeOne(entry, rows.get(setKeyOf(entry.content)), merged[at]));
    await this.label(
      tx,
      [...rows.values()].filter((row) => this.isNew(row)),
    );
    return judged;
  }

  /** Call it once all records are stored. */
  async adopt(tx: Transaction, contents: readonly RecordContent[]): Promise<void> {
    const rows = await this.rowsOf(tx, contents);
    await this.label(
      tx,
      [...rows.values()].filter((row) => ownerOf(row) === NOBODY),
    );
  }

  private judgeOne(entry: Placed, row: RecordSetEntity | undefined, merged: Merged | undefined): Merged | undefined {
    if (row === undefined || merged === undefined) return merged;
    const owner = this.otherOwner(row, true);
    if (owner === null) {
      if (merged === 'unchanged' || merged === 'updated') this.records += 1;
      return merged;
    }
    const isConflict = this.conflicts.delete(setKeyOf(row));
    if (merged === 'unchanged' && !isConflict) {
      this.keep(entry, owner);
      return merged;
    }
    const set = textOf(entry.content);
    const message =
      owner === NOBODY
        ? `${set} has no owner, and the file differs: --adopt gives it to ${this.owner.name}, or leave it out.`
        : `${set} belongs to ${owner}, and the file differs: leave it out.`;
    return new ServiceError('invalid_object', message);
  }

  private keep(first: Placed, owner: string): void {
    const kind = owner === NOBODY ? 'unowned' : 'other';
    const known = this.staying.get(kind);
    if (known === undefined) this.staying.set(kind, { first, owner, count: 1 });
    else known.count += 1;
  }

  private async label(tx: Transaction, rows: readonly RecordSetEntity[]): Promise<void> {
    const without = rows.filter((row) => ownerOf(row) !== this.owner.name);
    if (without.length === 0) return;
    const sets = without.map((row) => {
      const labels = labelsOf(row);
      if (Object.keys(labels).length >= MOST_LABELS && !(OWNER_LABEL in labels))
        throw new ServiceError('invalid_object', `${row.name} ${row.type} has ${MOST_LABELS} labels: remove one.`);
      return { ...row, labels: readLabels({ ...labels, [OWNER_LABEL]: this.owner.name }) };
    });
    await this.stored.merging.label(tx, this.change, sets);
    this.labels += sets.length;
    const label = `${OWNER_LABEL}=${this.owner.name}`;
    const room = MAX_LABELED - this.labeled.length;
    this.labeled.push(...sets.slice(0, room).map(({ name, type }) => ({ name, type, label })));
  }

  /** `null`: the import may change the set. */
  private otherOwner(row: RecordSetEntity, isInFile: boolean): string | null {
    if (this.isNew(row)) return null;
    const owner = ownerOf(row);
    return owner === this.owner.name || (owner === NOBODY && isInFile && this.owner.adopts) ? null : owner;
  }

  private isNew({ createdAt }: RecordSetEntity): boolean {
    return createdAt > this.change.zone.changedAt;
  }

  private async rowsOf(tx: Transaction, sets: readonly SetKey[]): Promise<ReadonlyMap<string, RecordSetEntity>> {
    const keys = new Set(sets.map(setKeyOf));
    const owners = [...new Set(sets.map(({ ownerKey }) => ownerKey))];
    const rows = await this.stored.recordSets.atOwners(tx, this.change.zone.id, owners);
    return new Map(rows.map((row) => [setKeyOf(row), row] as const).filter(([key]) => keys.has(key)));
  }
}

function ownerOf(row: RecordSetEntity): string {
  return labelsOf(row)[OWNER_LABEL] ?? NOBODY;
}

function textOf({ name, type }: RecordContent): string {
  return `${displayName(DomainName.parse(name))} ${type}`;
}
