import { Injectable } from '@nestjs/common';
import { type Instant, SECOND } from '../../common/clock.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { Type } from '../../dns/dnssec/codes.js';
import { asksTheParent } from '../../dns/dnssec/key-sets.js';
import { DomainName } from '../../dns/name.js';
import type { WireRecord } from '../../publishing/transfers/signed-zones.js';
import { recordsOfSigned } from '../../publishing/transfers/transferred-set.js';
import { CommitHooks } from '../../zones/changes/commit-hooks.js';
import { isLaterSerial } from '../../zones/serials/serial.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ZoneRepository } from '../../zones/zone.repository.js';
import { KeyRollover } from '../rollovers/key-rollover.js';
import type { SignedSetEntity } from '../state/signed-set.entity.js';
import { readSignedSet, writeRecords } from '../state/signed-set-form.js';
import { SignedSetRepository } from '../state/signed-set.repository.js';
import { SignedStepRepository } from '../state/signed-step.repository.js';
import type { ZoneSigningEntity } from '../state/zone-signing.entity.js';
import { ZoneSigningRepository } from '../state/zone-signing.repository.js';
import { SigningClock } from './signing-clock.js';
import type { SigningTask } from './signing-task.js';

/** Writes what a run has signed, all of it or nothing. */
@Injectable()
export class SignedZonePublisher {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly zones: ZoneRepository,
    private readonly signing: ZoneSigningRepository,
    private readonly sets: SignedSetRepository,
    private readonly steps: SignedStepRepository,
    private readonly rollovers: KeyRollover,
    private readonly commits: CommitHooks,
    private readonly clock: SigningClock,
  ) {}

  /**
   * @returns whether it was still what had been read; otherwise nothing is written, and the run begins again
   * @throws WrongClock where the clock was set since it was read
   */
  async publish(task: SigningTask, rows: readonly SignedSetEntity[]): Promise<boolean> {
    const zoneId = task.zone.id;
    const isWritten = await this.unitOfWork.run((tx) => this.write(tx, task, rows), { zoneId, takesZone: true });
    if (isWritten) this.commits.tell(zoneId);
    return isWritten;
  }

  private async write(tx: Transaction, task: SigningTask, rows: readonly SignedSetEntity[]): Promise<boolean> {
    const { zone, base, serial, gone } = task;
    const present = await this.zones.lockAny(tx, zone.id);
    const row = await this.signing.lock(tx, zone.id);
    if (present === undefined || row === undefined || !isAsRead(present, row, task)) return false;
    const now = this.clock.after(row.runAt);
    const number = row.step + 1;
    const of = { zoneId: zone.id, generation: base.generation };
    await this.sets.delete(tx, of, gone);
    await this.sets.write(tx, rows);
    if (base.isFresh) await this.steps.forgetBefore(tx, zone.id, number);
    else await this.writeStep(tx, task, rows, number);
    await this.signing.update(tx, {
      ...row,
      ...stateAfter(row, now),
      generation: base.generation,
      signedVersion: zone.version,
      step: number,
      foldedStep: number,
      runAt: now,
      formerUntil: Math.max(row.formerUntil, now + (await this.longestFormerTtl(tx, task, row)) * SECOND),
      nextDueAt: await this.nextDue(tx, of, row, now),
    });
    if (asksParent(task)) await this.signing.lookAtParent(tx, zone.id, now);
    await this.zones.publish(tx, zone.id, { version: zone.version, serial });
    return true;
  }

  /** In seconds, of all that name servers have sent until now and that is something else from here on. */
  private async longestFormerTtl(
    tx: Transaction,
    { zone, base, gone, removed, toSign }: SigningTask,
    row: ZoneSigningEntity,
  ): Promise<number> {
    if (base.isFresh) return this.sets.longestTtl(tx, { zoneId: zone.id, generation: row.generation });
    const ttls = [...gone, ...removed, ...toSign.map(({ before }) => before)].map((one) => one?.ttl ?? 0);
    return ttls.reduce((longest, ttl) => Math.max(longest, ttl), 0);
  }

  private async writeStep(
    tx: Transaction,
    task: SigningTask,
    rows: readonly SignedSetEntity[],
    number: number,
  ): Promise<void> {
    const { zone, serial } = task;
    const serialBefore = zone.publishedSerial;
    const before = [...task.gone, ...task.toSign.flatMap((one) => (one.before === null ? [] : [one.before]))];
    const [removed, added] = differing([...task.removed, ...recordsIn(before)], [...task.added, ...recordsIn(rows)]);
    const [soaBefore] = removed.filter(isSoa);
    const [soa] = added.filter(isSoa);
    if (serialBefore === null || soaBefore === undefined || soa === undefined)
      return this.steps.forgetBefore(tx, zone.id, number);
    const texts = [
      writeRecords([soaBefore, ...removed.filter((record) => !isSoa(record))]),
      writeRecords([soa, ...added.filter((record) => !isSoa(record))]),
    ] as const;
    const octets = texts[0].length + texts[1].length;
    await this.steps.insert(tx, {
      ...{ zoneId: zone.id, number, serialBefore, serial, octets, removed: texts[0], added: texts[1] },
    });
    await this.steps.bound(tx, zone.id, number);
  }

  private async nextDue(
    tx: Transaction,
    of: { readonly zoneId: string; readonly generation: number },
    { state, readyAt }: Pick<ZoneSigningEntity, 'state' | 'readyAt'>,
    now: Instant,
  ): Promise<Instant | null> {
    // What is to be proven is looked at soon.
    if (state === 'signing' || state === 'proving') return now + SECOND;
    const due = await this.sets.firstDue(tx, of);
    const looks = [
      due === null ? null : due * SECOND,
      readyAt,
      await this.rollovers.nextCheckAt(tx, of.zoneId, now),
    ].filter((look) => look !== null);
    return looks.length === 0 ? null : Math.min(...looks);
  }
}

/** Nobody has signed it meanwhile, or changed its keys. A later change of the contents has a later serial, if this one is that of contents too. */
function isAsRead(present: ZoneEntity, row: ZoneSigningEntity, { zone, base, serial }: SigningTask): boolean {
  if (row.step !== base.row.step || row.keysVersion !== base.row.keysVersion) return false;
  if (present.publishedSerial !== zone.publishedSerial) return false;
  if (present.version === zone.version) return true;
  return serial === zone.serial && isLaterSerial(present.serial, serial);
}

/** Whether the parent may find another CDS than before. */
function asksParent({ zone, base, toSign }: SigningTask): boolean {
  const apex = DomainName.parse(zone.name);
  return base.isFresh || toSign.some(({ set }) => asksTheParent(set, apex));
}

function stateAfter(
  { state, stateSince }: { readonly state: string; readonly stateSince: Instant },
  now: Instant,
): { readonly state?: 'proving'; readonly stateSince: Instant } {
  return state === 'signing' ? { state: 'proving', stateSince: now } : { stateSince };
}

function recordsIn(rows: readonly SignedSetEntity[]): WireRecord[] {
  return [...recordsOfSigned(rows.map(readSignedSet))];
}

function isSoa({ type }: WireRecord): boolean {
  return type === Type.SOA;
}

/** Those of the records that the other side does not have, octet for octet. */
function differing(removed: readonly WireRecord[], added: readonly WireRecord[]): [WireRecord[], WireRecord[]] {
  const [before, after] = [new Set(removed.map(textOf)), new Set(added.map(textOf))];
  return [
    removed.filter((record) => !after.has(textOf(record))),
    added.filter((record) => !before.has(textOf(record))),
  ];
}

/** Tells records apart as they are sent. */
function textOf(record: WireRecord): string {
  return writeRecords([record]);
}
