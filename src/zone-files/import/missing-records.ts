import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/transaction.js';
import { ALIAS, ALIAS_ADDRESSES } from '../../dns/rdata/index.js';
import { NS } from '../../dns/rdata/name-types.js';
import { RecordMerging } from '../../records/changes/record-merging.js';
import { type SetExpiries, setKeyOf } from '../../records/changes/set-notes.js';
import type { RecordContent } from '../../records/record-content.js';
import type { SetKey } from '../../records/record-set.entity.js';
import type { RecordEntity } from '../../records/record.entity.js';
import { RecordRepository } from '../../records/record.repository.js';
import { SeenRecordsRepository } from '../../records/seen-records.repository.js';
import type { ZoneChange } from '../../zones/changes/zone-change.js';
import type { OwnedSets } from './owned-sets.js';

export interface ChunkedChange {
  readonly change: ZoneChange;
  readonly run: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;
}

interface KeptRecords {
  readonly skipsApexNs?: boolean;
  readonly keeps?: (record: RecordEntity) => boolean;
}

export interface RemovalState {
  readonly expiries: SetExpiries;
  readonly owned: OwnedSets | null;
}

/** Removes the records that a replacing file lacks. */
@Injectable()
export class MissingRecords {
  constructor(
    private readonly merging: RecordMerging,
    private readonly seen: SeenRecordsRepository,
    private readonly records: RecordRepository,
  ) {}

  begin(tx: Transaction): Promise<void> {
    return this.seen.begin(tx);
  }

  see(tx: Transaction, zoneId: string, contents: readonly RecordContent[]): Promise<void> {
    return this.seen.add(tx, zoneId, contents);
  }

  /** Removes first, then adds, so that a name can change its type. */
  async remove(
    { change, run }: ChunkedChange,
    { skipsApexNs = false, keeps = () => false }: KeptRecords,
    { expiries, owned }: RemovalState,
  ): Promise<number> {
    const isApexNs = ({ type, ownerKey }: SetKey): boolean => type === NS.name && ownerKey === change.zone.nameKey;
    let removed = 0;
    for await (const missing of this.seen.missing(run, change.zone.id)) {
      removed += await run(async (tx) => {
        const own = await this.withoutFollowed(tx, change, missing);
        const lacking = own.filter((record) => !keeps(record) && !(skipsApexNs && isApexNs(record)));
        const seen = await this.seen.setsAmong(tx, lacking);
        const { records, followed } = (await owned?.leaving(tx, lacking, seen)) ?? { records: lacking, followed: null };
        // The merge may skip NS of the apex.
        const staying = seen.filter((set) => !isApexNs(set) && followed?.has(setKeyOf(set)) !== true);
        await this.merging.remove(tx, change, records, staying, expiries);
        return records.length;
      });
    }
    return removed;
  }

  /** Without the addresses of an ALIAS that stays. Its record is older, so it was removed first. */
  private async withoutFollowed(
    tx: Transaction,
    { zone }: ZoneChange,
    records: readonly RecordEntity[],
  ): Promise<readonly RecordEntity[]> {
    const addresses = records.filter(({ type }) => ALIAS_ADDRESSES.includes(type));
    const seen = await this.seen.setsAmong(
      tx,
      addresses.map(({ ownerKey }) => ({ ownerKey, type: ALIAS.name })),
    );
    if (seen.length === 0) return records;
    const left = await this.records.ofSets(tx, zone.id, seen);
    const followed = new Set(left.map(({ ownerKey }) => ownerKey));
    return records.filter(({ ownerKey, type }) => !(followed.has(ownerKey) && ALIAS_ADDRESSES.includes(type)));
  }
}
