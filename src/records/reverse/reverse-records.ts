import { Injectable } from '@nestjs/common';
import { allOf } from '../../common/all-of.js';
import type { Caller } from '../../common/caller.js';
import { Clock } from '../../common/clock.js';
import { groupedBy } from '../../common/grouped.js';
import { ServiceError } from '../../common/service-error.js';
import type { Transaction } from '../../database/transaction.js';
import type { DomainName } from '../../dns/name.js';
import { PTR } from '../../dns/rdata/name-types.js';
import { AddressFollower, type ReverseStep } from '../../zones/changes/address-follower.js';
import type { FollowedAddress } from '../../zones/changes/followed-addresses.js';
import { ZoneChange } from '../../zones/changes/zone-change.js';
import { JournalRepository } from '../../zones/journal/journal.repository.js';
import { ZoneRepository } from '../../zones/zone.repository.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { applyAll } from '../changes/operation-list.js';
import { EMPTY_SCOPE, type RecordOperation } from '../changes/record-operation.js';
import { type LoadedState, StateLoader } from '../changes/state/state-loader.js';
import { StateWriter } from '../changes/state/state-writer.js';
import { readRecordContent, type RecordContent } from '../record-content.js';
import type { RecordEntity } from '../record.entity.js';
import { RecordsOptions } from '../records.options.js';
import { type ReversePlace, ReversePlaces } from './reverse-places.js';

/** The effect of one change at one owner name of PTR records. */
interface Wanted extends ReversePlace {
  readonly change: ZoneChange;
  readonly removed: FollowedAddress[];
  readonly added: FollowedAddress[];
}

/** Changes the PTR records of addresses in the transaction that changes the addresses (behaviour 26). */
@Injectable()
export class ReverseRecords extends AddressFollower {
  constructor(
    private readonly places: ReversePlaces,
    private readonly zones: ZoneRepository,
    private readonly loader: StateLoader,
    private readonly writer: StateWriter,
    private readonly journal: JournalRepository,
    private readonly options: RecordsOptions,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async follow(tx: Transaction, changes: readonly ZoneChange[]): Promise<readonly string[]> {
    const byZone = groupedBy(await this.wanted(tx, changes), ({ zone }) => zone.id);
    const changed: string[] = [];
    // Sorted to avoid deadlocks.
    for (const zoneId of [...byZone.keys()].sort()) {
      const zone = await this.zones.lockAny(tx, zoneId);
      const some = byZone.get(zoneId)?.filter(({ change }) => change.zone.tenantId === zone?.tenantId) ?? [];
      if (zone === undefined || some.length === 0) continue;
      const loaded = await this.load(tx, zone, some);
      const { latest, entries } = this.judge(zone, loaded, some);
      if (latest === zone) continue;
      await allOf([
        this.writer.write(tx, loaded.state),
        this.journal.insertAll(tx, entries),
        this.zones.closeChange(tx, zone, latest),
      ]);
      changed.push(zoneId);
    }
    return changed;
  }

  override async plan(tx: Transaction, change: ZoneChange): Promise<readonly ReverseStep[]> {
    const byZone = groupedBy(await this.wanted(tx, [change]), ({ zone }) => zone.id);
    const plans = await allOf(
      [...byZone.values()].map(async (some) => {
        const [{ zone }] = some as [Wanted];
        return this.judge(zone, await this.load(tx, zone, some), some).steps;
      }),
    );
    return plans.flat();
  }

  /** In the order of the changes. */
  private async wanted(tx: Transaction, changes: readonly ZoneChange[]): Promise<Wanted[]> {
    const followed = changes.filter(({ addresses }) => !addresses.isEmpty && !addresses.areTooMany);
    const places = new Map<string, Map<string, ReversePlace>>();
    for (const [tenantId, some] of groupedBy(followed, ({ zone }) => zone.tenantId)) {
      const all = some.flatMap(({ addresses }) => [...addresses.removed.values(), ...addresses.added.values()]);
      places.set(tenantId, await this.places.of(tx, tenantId, [...new Set(all.map(({ rdata }) => rdata))]));
    }
    return followed.flatMap((change) => {
      const byAddress = new Map<string, Wanted>();
      const at = ({ rdata }: FollowedAddress): Wanted | null => {
        const place = places.get(change.zone.tenantId)?.get(rdata);
        if (place === undefined) return null;
        const wanted = byAddress.get(rdata) ?? { ...place, change, removed: [], added: [] };
        byAddress.set(rdata, wanted);
        return wanted;
      };
      for (const address of change.addresses.removed.values()) at(address)?.removed.push(address);
      for (const address of change.addresses.added.values()) at(address)?.added.push(address);
      return [...byAddress.values()];
    });
  }

  private async load(tx: Transaction, zone: ZoneEntity, wanted: readonly Wanted[]): Promise<LoadedState> {
    const contents = wanted.flatMap(({ owner, added }) => added.map((address) => this.contentOf(owner, address)));
    const wholeSets = wanted.map(({ owner }) => ({ ownerKey: owner.key, type: PTR.name }));
    const loaded = await this.loader.ahead(tx, zone, [], [{ ...EMPTY_SCOPE, contents, wholeSets }]);
    loaded.state.hold(zone);
    return loaded;
  }

  /** Each change of addresses is one change of the reverse zone. */
  private judge(zone: ZoneEntity, loaded: LoadedState, wanted: readonly Wanted[]) {
    let latest: Readonly<ZoneEntity> = zone;
    const entries = [];
    const steps: ReverseStep[] = [];
    for (const [change, some] of groupedBy(wanted, (one) => one.change)) {
      const reverse = new ZoneChange(latest, unrestricted(change.caller), this.clock.now());
      for (const one of some) steps.push(...this.step(loaded, reverse, one));
      latest = reverse.zoneAfter;
      entries.push(...reverse.takeEntries());
      change.addWeight(reverse.weight);
    }
    return { latest, entries, steps };
  }

  private step(loaded: LoadedState, reverse: ZoneChange, { owner, removed, added }: Wanted): ReverseStep[] {
    const { state } = loaded;
    const members = [...(state.set(owner.key, PTR.name)?.members.values() ?? [])];
    const contents = added.map((address) => this.contentOf(owner, address));
    const gone = new Set(removed.map((address) => this.contentOf(owner, address).fingerprint));
    const kept = members.filter(({ fingerprint }) => !gone.has(fingerprint));
    const lost = members.filter(({ fingerprint }) => gone.has(fingerprint));
    const created = kept.length > 0 ? undefined : contents[0];
    const about = { domain: state.place.name, name: owner.toString() };
    const before = lost[0]?.data ?? null;
    const problem = this.change(loaded, reverse, lost, created);
    const after = problem === null ? (created?.data ?? null) : before;
    const present = kept[0]?.data ?? created?.data ?? null;
    const others = contents.filter(
      (content) => content !== created && !kept.some(({ fingerprint }) => fingerprint === content.fingerprint),
    );
    return [
      ...(lost.length > 0 || created !== undefined ? [{ ...about, before, after, problem }] : []),
      ...others.map(() => {
        const taken = `${about.name} is ${present ?? ''} already. An address has one PTR record.`;
        return { ...about, before: present, after: present, problem: taken };
      }),
    ];
  }

  /** Returns why the zone refuses it, or `null`. The addresses do not depend on it; the check finds the missing record. */
  private change(
    { state, check }: LoadedState,
    reverse: ZoneChange,
    lost: readonly RecordEntity[],
    created: RecordContent | undefined,
  ): string | null {
    const operations: RecordOperation[] = [
      ...lost.map(({ id }) => ({ action: 'delete' as const, id })),
      ...(created === undefined ? [] : [{ action: 'create' as const, content: created }]),
    ];
    if (operations.length === 0) return null;
    const { types, knownTypes, minTtl } = this.options;
    try {
      applyAll(state, reverse, operations, { types, knownTypes, minTtl, check }, false);
      return null;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return error.message;
    }
  }

  private contentOf(owner: DomainName, { name, ttl }: FollowedAddress): RecordContent {
    return readRecordContent(this.options.knownTypes, { name: owner.toString(), type: PTR.name, data: name, ttl });
  }
}

/** The owner of both zones has decided that the PTR records follow. */
function unrestricted({ restrictions: _, ...caller }: Caller): Caller {
  return caller;
}
