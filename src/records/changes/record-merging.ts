import { Injectable } from '@nestjs/common';
import { allOf } from '../../common/all-of.js';
import { type Labels, labelsColumn } from '../../common/labels.js';
import { ServiceError } from '../../common/service-error.js';
import type { Transaction } from '../../database/transaction.js';
import { assertTtlAllowed } from '../../zones/zone-fields.js';
import type { ZoneChange } from '../../zones/changes/zone-change.js';
import { ZoneChanges } from '../../zones/changes/zone-changes.js';
import { ZoneRepository } from '../../zones/zone.repository.js';
import { occludingTypes } from './placement-rules.js';
import type { RecordContent } from '../record-content.js';
import type { SetKey } from '../record-set.entity.js';
import type { RecordEntity } from '../record.entity.js';
import { RecordsOptions } from '../records.options.js';
import { type SetExpiries, setKeyOf, SetNotes } from './set-notes.js';
import { atomically, type Judging } from './state/change-session.js';
import { StateLoader, type ZoneFacts } from './state/state-loader.js';
import { StateWriter } from './state/state-writer.js';
import { contentKey, type ZoneState } from './state/zone-state.js';

export type Merged = 'created' | 'updated' | 'unchanged' | ServiceError;

export interface LabeledKey extends SetKey {
  readonly labels: Labels;
}

/** Limits remembered owner names, because a zone may have any number. */
const MAX_REMEMBERED = 10_000;

/**
 * Merges records into a zone in portions, all in one change. It loads, judges and writes each portion before the next,
 * which bounds memory.
 */
@Injectable()
export class RecordMerging {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly changes: ZoneChanges,
    private readonly loader: StateLoader,
    private readonly writer: StateWriter,
    private readonly options: RecordsOptions,
  ) {}

  async begin(tx: Transaction, { zone }: ZoneChange): Promise<ZoneFacts> {
    return { hasZoneBelow: await this.zones.hasZoneBelow(tx, zone.nameKey), notOccluding: new Set() };
  }

  /**
   * Adds missing records, and sets the ttl of existing ones. A record that occurs twice gets its lowest ttl.
   * A set already served with its given ttl stays unchanged: an export has no other (RFC 2181 §5.2).
   * @throws ServiceError `over_quota`, `forbidden`
   */
  async merge(
    tx: Transaction,
    change: ZoneChange,
    contents: readonly RecordContent[],
    facts: ZoneFacts,
    expiries: SetExpiries | null = null,
  ): Promise<Merged[]> {
    const changing = (state: ZoneState): RecordEntity[] =>
      contents.flatMap((content) =>
        state.recordsLike(content).filter((record) => !this.isServedAs(change, record, content)),
      );
    const concerned = { contents, stored: [], wholeSets: [], changing };
    const { state, check } = await this.loader.load(tx, change.zone, concerned, facts);
    const judging = { knownTypes: this.options.knownTypes, check };
    const given = new GivenTtls(change.zone.ttl, contents);
    const merged = contents.map((content) => {
      const lowered = given.lowered(content);
      const expiresAt = expiries?.of(content, state) ?? null;
      return this.mergeOne(state, change, expiresAt === null ? lowered : { ...lowered, expiresAt }, given, judging);
    });
    await this.write(tx, change, state);
    this.forgetOccluding(contents, facts);
    return merged;
  }

  /** @param staying sets that get other records: they keep their descriptions and expiry times */
  async remove(
    tx: Transaction,
    change: ZoneChange,
    records: readonly RecordEntity[],
    staying: readonly SetKey[],
    expiries: SetExpiries,
  ): Promise<void> {
    const kept = new Set(staying.map(setKeyOf));
    const noted = records.filter(
      (record) => kept.has(setKeyOf(record)) && (record.description !== null || record.expiresAt !== null),
    );
    const notedKeys = new Set(noted.map(setKeyOf));
    const { state, check } = await this.loader.load(tx, change.zone, {
      contents: [],
      stored: records,
      wholeSets: noted.map(({ ownerKey, type }) => ({ ownerKey, type })),
    });
    const judging = { knownTypes: this.options.knownTypes, check };
    for (const record of records)
      atomically(state, change, judging, (steps) => {
        const notes = new SetNotes(state.set(record.ownerKey, record.type));
        steps.remove(0, record);
        if (!kept.has(setKeyOf(record))) return;
        notes.keepDescription(state, steps, record);
        if (notedKeys.has(setKeyOf(record))) expiries.note(record, notes);
        const row = state.set(record.ownerKey, record.type)?.row ?? null;
        if (row?.recordCount === 0) steps.putSet(row);
      });
    await this.write(tx, change, state);
  }

  /** Labels alone keep the serial (behaviour 7.7): steps of records have to come before them. */
  async label(tx: Transaction, change: ZoneChange, sets: readonly LabeledKey[]): Promise<void> {
    const owners = sets.map(({ ownerKey }) => ownerKey);
    const concerned = { contents: [], stored: [], wholeSets: [], owners };
    const { state, check } = await this.loader.load(tx, change.zone, concerned);
    atomically(state, change, { knownTypes: this.options.knownTypes, check }, (steps) => {
      for (const { ownerKey, type, labels } of sets) {
        const row = state.set(ownerKey, type)?.row ?? null;
        const isNews = row !== null && (row.updatedAt ?? row.createdAt) <= change.zone.changedAt;
        if (row !== null) steps.labelSet(row, labelsColumn(labels), isNews);
      }
    });
    await this.write(tx, change, state);
  }

  private mergeOne(
    state: ZoneState,
    change: ZoneChange,
    content: RecordContent,
    given: GivenTtls,
    judging: Judging,
  ): Merged {
    const [stored] = state.recordsLike(content);
    if (stored !== undefined && this.isServedAs(change, stored, content)) return 'unchanged';
    if (stored !== undefined && this.keepsTtl(state, change, stored, content, given)) return 'unchanged';
    try {
      atomically(state, change, judging, (steps) => {
        if (stored === undefined) steps.create(0, content);
        else {
          const { description, expiresAt } = stored;
          steps.update(0, stored, { ...this.spelled(change, stored, content), description, expiresAt });
        }
      });
      assertTtlAllowed(content.ttl, this.options.minTtl, change.caller);
      return stored === undefined ? 'created' : 'updated';
    } catch (error) {
      // A full quota or a missing right ends the merge. It is not the fault of this record.
      if (!(error instanceof ServiceError) || error.code === 'over_quota' || error.code === 'forbidden') throw error;
      return error;
    }
  }

  private async write(tx: Transaction, change: ZoneChange, state: ZoneState): Promise<void> {
    await allOf([this.writer.write(tx, state), this.changes.writeSteps(tx, change)]);
  }

  private isServedAs({ zone }: ZoneChange, record: RecordEntity, content: RecordContent): boolean {
    if ((record.ttl ?? zone.ttl) !== (content.ttl ?? zone.ttl)) return false;
    if (zone.type === 'PRIMARY') return true;
    return record.name === content.name && record.rdata === Buffer.from(content.rdata).toString('hex');
  }

  private keepsTtl(
    state: ZoneState,
    { zone }: ZoneChange,
    stored: RecordEntity,
    content: RecordContent,
    given: GivenTtls,
  ): boolean {
    if (zone.type !== 'PRIMARY') return false;
    const ttl = content.ttl ?? zone.ttl;
    // An earlier portion of the same file wrote this record: the lowest ttl counts.
    if ((stored.updatedAt ?? stored.createdAt) > zone.changedAt) return ttl > (stored.ttl ?? zone.ttl);
    return given.isUniform(content) && ttl === (state.set(content.ownerKey, content.type)?.row?.ttl ?? zone.ttl);
  }

  /** A stored record keeps its text. A secondary zone takes the text of its primary. */
  private spelled({ zone }: ZoneChange, { name, data, priority }: RecordEntity, content: RecordContent): RecordContent {
    return zone.type === 'PRIMARY' ? { ...content, name, data, priority } : content;
  }

  private forgetOccluding(contents: readonly RecordContent[], { notOccluding: withoutEnd }: ZoneFacts): void {
    const ending = occludingTypes(this.options.knownTypes).map(({ name }) => name);
    if (withoutEnd.size > MAX_REMEMBERED || contents.some(({ type }) => ending.includes(type))) withoutEnd.clear();
  }
}

class GivenTtls {
  private readonly byRecord = new Map<string, RecordContent>();
  private readonly bySet = new Map<string, number>();
  private readonly mixed = new Set<string>();

  constructor(
    private readonly zoneTtl: number,
    contents: readonly RecordContent[],
  ) {
    for (const content of contents) {
      const key = contentKey(content);
      const other = this.byRecord.get(key);
      if (other === undefined || this.ttlOf(content) < this.ttlOf(other)) this.byRecord.set(key, content);
    }
    for (const content of this.byRecord.values()) {
      const key = setKey(content);
      const ttl = this.bySet.get(key);
      if (ttl === undefined) this.bySet.set(key, this.ttlOf(content));
      else if (ttl !== this.ttlOf(content)) this.mixed.add(key);
    }
  }

  lowered(content: RecordContent): RecordContent {
    const lowest = this.byRecord.get(contentKey(content)) ?? content;
    return lowest.ttl === content.ttl ? content : { ...content, ttl: lowest.ttl };
  }

  isUniform(content: RecordContent): boolean {
    return !this.mixed.has(setKey(content));
  }

  private ttlOf({ ttl }: RecordContent): number {
    return ttl ?? this.zoneTtl;
  }
}

function setKey({ ownerKey, type }: RecordContent): string {
  return `${ownerKey} ${type}`;
}
