import { Injectable } from '@nestjs/common';
import type { Lease } from '../../background/lease.js';
import type { BackgroundService, Scheduler } from '../../background/scheduler.js';
import { Clock, type Instant } from '../../common/clock.js';
import { groupedBy } from '../../common/grouped.js';
import { labelsOf } from '../../common/labels.js';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import { Reads } from '../../database/reads.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { type AliasNotice, NoticeReceivers } from '../../feed/change-events.js';
import type { AliasTargetEntity } from '../alias-target.entity.js';
import { AliasRepository, type UntoldOwner } from '../alias.repository.js';

const INTERVAL_MS = 1000;
const PAGE_SIZE = 100;
const OWNERS_AT_A_TIME = 500;
const ZONES_AT_A_TIME = 200;
const OWNERS_SHOWN = 20;
const FAILURE_MESSAGES = {
  failing: 'Events of ALIAS targets are delayed',
  recovered: 'Events of ALIAS targets are up to date again.',
};

/** Tells the zones of a target that it has no usable addresses, or has them again (behaviour 24.12). */
@Injectable()
export class AliasNotifier implements BackgroundService {
  constructor(
    private readonly aliases: AliasRepository,
    private readonly receivers: NoticeReceivers,
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  addTasks(scheduler: Scheduler): void {
    if (this.receivers.isEmpty) return;
    const lease = scheduler.lease('alias-events', FAILURE_MESSAGES);
    scheduler.add({
      name: 'aliases.events',
      lease,
      every: INTERVAL_MS,
      failureMessages: FAILURE_MESSAGES,
      run: (signal) => this.tellAll(lease, signal),
    });
  }

  private async tellAll(lease: Lease, signal: AbortSignal): Promise<void> {
    for (let after = { fingerprint: '', zoneId: '' }; !signal.aborted && lease.isHeld;) {
      const from = after;
      const targets = await this.reads.run((tx) => this.aliases.untold(tx, from, PAGE_SIZE));
      for (const target of targets) await this.tell(target, lease, signal);
      const last = targets.at(-1);
      if (last === undefined || targets.length < PAGE_SIZE) return;
      after = last;
    }
  }

  private async tell(target: AliasTargetEntity, lease: Lease, signal: AbortSignal): Promise<void> {
    // The state has changed without a fact to tell. The next fact replaces this one.
    if (isFailing(target.notices) !== (target.state !== 'resolved')) return;
    for (let owners = await this.untoldOwners(target); owners.length > 0; owners = await this.untoldOwners(target)) {
      if (signal.aborted || !lease.isHeld) return;
      const zones = wholeZones(owners);
      const at = this.clock.now();
      // Receivers ignore repeated notices, if this process ends before the next step.
      await this.receivers.tell(zones.flatMap((ofZone) => noticeOf(target, ofZone, at) ?? []));
      await this.unitOfWork.run((tx) => this.aliases.markTold(tx, target, zones.flat()));
      await nextTurn();
    }
    await this.unitOfWork.run(async (tx) => {
      if (await lease.isHeldIn(tx)) await this.aliases.endTelling(tx, target);
    });
  }

  private untoldOwners(target: AliasTargetEntity): Promise<UntoldOwner[]> {
    return this.reads.run((tx) => this.aliases.untoldOwners(tx, target, OWNERS_AT_A_TIME));
  }
}

function isFailing(notices: number): boolean {
  return notices % 2 === 1;
}

/** Leaves the last zone to the next page if this page may have only a part of it. */
function wholeZones(owners: readonly UntoldOwner[]): UntoldOwner[][] {
  const zones = groupedBy(owners, ({ zoneId }) => zoneId);
  const last = owners.at(-1);
  if (last !== undefined && owners.length === OWNERS_AT_A_TIME && zones.size > 1) zones.delete(last.zoneId);
  return [...zones.values()].slice(0, ZONES_AT_A_TIME);
}

/** `null`: the zone knows it already, or has no such ALIAS any more. */
function noticeOf(target: AliasTargetEntity, owners: readonly UntoldOwner[], at: Instant): AliasNotice | null {
  const names = owners.flatMap(({ name }) => name ?? []);
  const zone = zoneOf(owners);
  const isNews = owners.some(({ told }) => isFailing(told)) !== isFailing(target.notices);
  if (zone === null || names.length === 0 || !isNews) return null;
  const { name, state, problem, troubledSince, noticedAt } = target;
  // Every fact has its time.
  const serial = noticedAt ?? at;
  return {
    kind: 'alias',
    publication: isFailing(target.notices) ? 'alias_failing' : 'alias_recovered',
    ...{ zone, serial, changedAt: at, at, servers: [] },
    ...{ target: name, state, problem, since: troubledSince ?? serial },
    ...{ owners: names.slice(0, OWNERS_SHOWN).sort(), ownerCount: names.length },
  };
}

/** `null` if it is deleted, or was told for another ALIAS. */
function zoneOf([owner]: readonly UntoldOwner[]): AliasNotice['zone'] | null {
  if (owner === undefined || owner.isZoneTold === 1) return null;
  const { zoneId: id, zoneName: name, tenantId, labels } = owner;
  if (name === null || tenantId === null) return null;
  return { id, name, tenantId, ...(labels !== null && { labels: labelsOf({ labels }) }) };
}
