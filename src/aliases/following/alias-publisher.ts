import { Injectable, Logger } from '@nestjs/common';
import { upkeepFor } from '../../common/caller.js';
import { groupedBy } from '../../common/grouped.js';
import { ServiceError } from '../../common/service-error.js';
import { Reads } from '../../database/reads.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { ALIAS, ALIAS_ADDRESSES } from '../../dns/rdata/index.js';
import { Counter } from '../../observability/metrics.js';
import { RecordChanges } from '../../records/changes/record-changes.js';
import { type DeferredOperations, EMPTY_SCOPE, type ReplaceOperation } from '../../records/changes/record-operation.js';
import type { ZoneState } from '../../records/changes/state/zone-state.js';
import { readRecordContent } from '../../records/record-content.js';
import { RecordsOptions } from '../../records/records.options.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ZoneRepository } from '../../zones/zone.repository.js';
import type { AliasTargetEntity } from '../alias-target.entity.js';
import { type AliasLink, AliasRepository } from '../alias.repository.js';
import { AliasesOptions } from '../aliases.options.js';

const OWNERS_AT_A_TIME = 200;
const LONGEST_DESCRIPTION = 160;

const PUBLISHED = new Counter({
  name: 'zonewright_alias_updates_total',
  help: 'ALIAS records whose published addresses were brought up to date, by whether the zone took them.',
  labels: ['result'],
});

/** Sets the addresses at the names of ALIAS records, as ordinary changes of their zones (behaviour 24.3). */
@Injectable()
export class AliasPublisher {
  private readonly logger = new Logger('Zonewright');

  constructor(
    private readonly aliases: AliasRepository,
    private readonly changes: RecordChanges,
    private readonly zones: ZoneRepository,
    private readonly options: AliasesOptions,
    private readonly types: RecordsOptions,
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Zones of one portion change together, each with one serial. */
  async publish(target: AliasTargetEntity, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const owners = await this.reads.run((tx) => this.aliases.behind(tx, target, OWNERS_AT_A_TIME));
      if (owners.length === 0) break;
      const byZone = groupedBy(owners, ({ zoneId }) => zoneId);
      await Promise.all([...byZone].map(([zoneId, some]) => this.publishIn(zoneId, target, some)));
    }
    if (!signal.aborted) await this.unitOfWork.run((tx) => this.aliases.markFresh(tx, target));
  }

  /** One name that its zone refuses must not keep the others. */
  private async publishIn(zoneId: string, target: AliasTargetEntity, owners: readonly AliasLink[]): Promise<void> {
    try {
      await this.change(zoneId, target, owners);
      PUBLISHED.of('published').add(owners.length);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code === 'unavailable') throw error;
      if (error.code === 'zone_not_found') return this.unitOfWork.run((tx) => this.aliases.unlink(tx, owners));
      if (owners.length > 1) for (const owner of owners) await this.publishIn(zoneId, target, [owner]);
      else await this.passOver(owners, target, error);
    }
  }

  private async passOver(
    owners: readonly AliasLink[],
    target: AliasTargetEntity,
    { message }: ServiceError,
  ): Promise<void> {
    PUBLISHED.of('refused').add();
    this.logger.warn(`Cannot publish the addresses of ${target.name} (${message}). The next address tries again.`);
    await this.unitOfWork.run((tx) => this.aliases.link(tx, reached(owners, target), []));
  }

  private async change(zoneId: string, target: AliasTargetEntity, owners: readonly AliasLink[]): Promise<void> {
    const zone = await this.reads.run((tx) => this.zones.findIn(tx, zoneId));
    if (zone === undefined) throw new ServiceError('zone_not_found', 'The zone has just been deleted.');
    // Read again under the lock: another process may know newer addresses.
    const latest = { target };
    const plan = new AddressPlan(owners, latest, this.options, this.types);
    const hook = {
      isOurs: true,
      load: async (tx: Transaction) => {
        latest.target = (await this.aliases.find(tx, target)) ?? target;
      },
      write: async (tx: Transaction, outcome: object) => {
        if ('value' in outcome) await this.aliases.link(tx, reached(owners, latest.target), []);
      },
    } as const;
    await this.changes.apply(zoneId, upkeepFor(zone.tenantId), plan, { hook, isUnlimited: true });
  }
}

function reached(owners: readonly AliasLink[], { version }: AliasTargetEntity): AliasLink[] {
  return owners.map((owner) => ({ ...owner, targetVersion: version }));
}

class AddressPlan implements DeferredOperations {
  readonly size: number;
  readonly scope;

  constructor(
    private readonly owners: readonly AliasLink[],
    private readonly latest: { readonly target: AliasTargetEntity },
    private readonly options: AliasesOptions,
    private readonly types: RecordsOptions,
  ) {
    const all = [ALIAS.name, ...ALIAS_ADDRESSES];
    this.scope = {
      ...EMPTY_SCOPE,
      wholeSets: owners.flatMap(({ ownerKey }) => all.map((type) => ({ ownerKey, type }))),
    };
    this.size = 2 * owners.length;
  }

  operations(state: ZoneState, zone: Readonly<ZoneEntity>): readonly ReplaceOperation[] {
    return this.owners.flatMap((owner) => this.operationsAt(state, zone, owner));
  }

  /** None if the ALIAS was changed meanwhile: it is then linked again. */
  private operationsAt(
    state: ZoneState,
    zone: Readonly<ZoneEntity>,
    { ownerKey, recordId, recordVersion }: AliasLink,
  ): ReplaceOperation[] {
    const alias = state.set(ownerKey, ALIAS.name)?.members.get(recordId);
    if (alias?.version !== recordVersion) return [];
    const { addresses } = this.latest.target;
    const ttl = alias.ttl ?? Math.min(zone.ttl, this.options.ttl);
    const description = `ALIAS ${alias.data}`.slice(0, LONGEST_DESCRIPTION);
    return ALIAS_ADDRESSES.flatMap((type) => {
      const wanted = addresses
        .split(' ')
        .filter((address) => address !== '' && address.includes(':') === (type === 'AAAA'));
      const members = [...(state.set(ownerKey, type)?.members.values() ?? [])];
      if (members.length === 0 && wanted.length === 0) return [];
      const contents = wanted.map((data) =>
        readRecordContent(this.types.knownTypes, { name: alias.name, type, data, ttl, description }),
      );
      return [{ action: 'replace' as const, ownerKey, type, contents }];
    });
  }
}
