import { Injectable } from '@nestjs/common';
import type { Lease } from '../../background/lease.js';
import { Clock } from '../../common/clock.js';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import { Reads } from '../../database/reads.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { DomainName } from '../../dns/name.js';
import { ALIAS } from '../../dns/rdata/index.js';
import type { AliasTargetEntity } from '../alias-target.entity.js';
import {
  type AliasLink,
  type AliasPosition,
  type AliasRecord,
  AliasRepository,
  FIRST_ZONE,
  LAST_ZONE,
} from '../alias.repository.js';
import { OwnTargets } from '../own-targets.js';

const PAGE_SIZE = 500;
const START: AliasPosition = { zoneId: '', ownerKey: '' };
/** Sorts before the version of every target. */
const NOTHING_PUBLISHED = -1;

/** Finds new, changed and deleted ALIAS records, and links them to their targets (behaviour 24.3). */
@Injectable()
export class AliasLinks {
  constructor(
    private readonly aliases: AliasRepository,
    private readonly own: OwnTargets,
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** After changes of the zones: their own records, and the targets that they have. */
  async linkZones(zoneIds: readonly string[], lease: Lease, signal: AbortSignal): Promise<void> {
    for (let at = 0; at < zoneIds.length && !signal.aborted; at += PAGE_SIZE) {
      const ids = zoneIds.slice(at, at + PAGE_SIZE);
      const concerned = await this.reads.run((tx) => this.aliases.concerned(tx, ids));
      for (const zoneId of concerned) {
        await this.linkIn([zoneId, zoneId], lease, signal);
        await this.unitOfWork.run((tx) => this.aliases.wake(tx, zoneId, this.clock.now()));
      }
    }
  }

  /** Notices of changes may get lost. */
  async linkAll(lease: Lease, signal: AbortSignal): Promise<void> {
    await this.linkIn([FIRST_ZONE, LAST_ZONE], lease, signal);
    await this.unlinkLost(signal);
  }

  private async linkIn(zones: readonly [string, string], lease: Lease, signal: AbortSignal): Promise<void> {
    for (let after = START; !signal.aborted;) {
      const from = after;
      const page = await this.reads.run((tx) => this.aliases.records(tx, zones, from, PAGE_SIZE));
      const unlinked = page.filter(({ isLinked }) => isLinked === 0);
      if (unlinked.length > 0) await this.link(unlinked, lease);
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE_SIZE) return;
      after = last;
      await nextTurn();
    }
  }

  private async link(records: readonly AliasRecord[], lease: Lease): Promise<void> {
    await this.unitOfWork.run(async (tx) => {
      if (!(await lease.isHeldIn(tx))) return;
      const owners: AliasLink[] = [];
      const targets: Pick<AliasTargetEntity, 'fingerprint' | 'zoneId' | 'name' | 'nextAt'>[] = [];
      for (const record of records) {
        const { zoneId, ownerKey, recordId, recordVersion, fingerprint } = record;
        const name = targetOf(record);
        const targetZoneId = await this.zoneOf(tx, name, record);
        const targetVersion = NOTHING_PUBLISHED;
        owners.push({ zoneId, ownerKey, recordId, recordVersion, fingerprint, targetZoneId, targetVersion });
        targets.push({ fingerprint, zoneId: targetZoneId, name: name.toString(), nextAt: this.clock.now() });
      }
      await this.aliases.link(tx, owners, targets);
    });
  }

  private async zoneOf(tx: Transaction, name: DomainName, { tenantId }: AliasRecord): Promise<string> {
    return (await this.own.zoneFor(tx, name, tenantId))?.id ?? '';
  }

  private async unlinkLost(signal: AbortSignal): Promise<void> {
    for (let after = START; !signal.aborted;) {
      const from = after;
      const page = await this.reads.run((tx) => this.aliases.owners(tx, from, PAGE_SIZE));
      const lost = page.filter(({ isThere }) => isThere === 0);
      if (lost.length > 0) await this.unitOfWork.run((tx) => this.aliases.unlink(tx, lost));
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE_SIZE) return;
      after = last;
      await nextTurn();
    }
  }
}

function targetOf({ rdata }: AliasRecord): DomainName {
  return ALIAS.values(Buffer.from(rdata, 'hex')).target;
}
