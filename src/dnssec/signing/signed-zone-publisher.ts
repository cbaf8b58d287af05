import { Injectable } from '@nestjs/common';
import { type Instant, SECOND } from '../../common/clock.js';
import type { Transaction } from '../../database/transaction.js';
import { Type, isParentRequest } from '../../dns/dnssec/wire-set.js';
import { DomainName } from '../../dns/name.js';
import type { WireRecord } from '../../publishing/transfers/signed-zones.js';
import { recordsOfSigned } from '../../publishing/transfers/transferred-set.js';
import { CommitHooks } from '../../zones/changes/zone-change-notifier.js';
import { isLaterSerial } from '../../zones/serials/serial.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ZoneRepository } from '../../zones/zone.repository.js';
import { KeyRollover } from '../rollovers/key-rollover.js';
import { SigningContext } from '../signing-context.js';
import type { SignedSetEntity } from '../state/signed-set.entity.js';
import { readSignedSet, writeRecords } from '../state/signed-set-form.js';
import { SignedStepRepository } from '../state/signed-step.repository.js';
import type { ZoneSigningEntity } from '../state/zone-signing.entity.js';
import { SigningClock } from './signing-clock.js';
import type { SigningTask } from './task-reader.js';

/** Stores signed sets, the IXFR difference and the serial in one transaction. */
@Injectable()
export class SignedZonePublisher {
  constructor(
    private readonly context: SigningContext,
    private readonly zones: ZoneRepository,
    private readonly steps: SignedStepRepository,
    private readonly rollovers: KeyRollover,
    private readonly commits: CommitHooks,
    private readonly clock: SigningClock,
  ) {}

  /** Returns `false` and writes nothing if the zone changed since the read. Throws WrongClock if the clock was set. */
  async publish(task: SigningTask, rows: readonly SignedSetEntity[]): Promise<boolean> {
    const zoneId = task.zone.id;
    const formerTtl = await this.longestFormerTtl(task);
    const isWritten = await this.context.unitOfWork.run((tx) => this.write(tx, task, rows, formerTtl), {
      zoneId,
      takesZone: true,
    });
    if (isWritten) this.commits.tell(zoneId);
    return isWritten;
  }

  private async write(
    tx: Transaction,
    task: SigningTask,
    rows: readonly SignedSetEntity[],
    formerTtl: number,
  ): Promise<boolean> {
    const { zone, base, serial, gone } = task;
    const present = await this.zones.lockAny(tx, zone.id);
    const row = await this.context.signing.lock(tx, zone.id);
    if (present === undefined || row === undefined || !isAsRead(present, row, task)) return false;
    const now = this.clock.after(row.runAt);
    const number = row.step + 1;
    const of = { zoneId: zone.id, generation: base.generation };
    await this.context.sets.delete(tx, of, gone);
    await this.context.sets.write(tx, rows);
    if (base.isFresh) await this.steps.forgetBefore(tx, zone.id, number);
    else await this.writeStep(tx, task, rows, number);
    await this.context.signing.update(tx, {
      ...row,
      ...(row.state === 'signing' ? { state: 'proving', stateSince: now } : { stateSince: row.stateSince }),
      generation: base.generation,
      signedVersion: zone.version,
      step: number,
      foldedStep: number,
      runAt: now,
      formerUntil: Math.max(row.formerUntil, now + formerTtl * SECOND),
      nextDueAt: await this.nextDue(tx, of, row, now),
    });
    if (asksParent(task)) await this.context.signing.lookAtParent(tx, zone.id, now);
    await this.zones.publish(tx, zone.id, { version: zone.version, serial });
    return true;
  }

  /** The longest TTL of all replaced and deleted sets, in seconds. */
  private async longestFormerTtl({ base, gone, removed, toSign }: SigningTask): Promise<number> {
    // The published generation of the row, whose step the transaction compares.
    if (base.isFresh) return this.context.read((tx) => this.context.sets.longestTtl(tx, base.row));
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
    // The proof by the name servers comes next.
    if (state === 'signing' || state === 'proving') return now + SECOND;
    const due = await this.context.sets.firstDue(tx, of);
    const checks = [
      due === null ? null : due * SECOND,
      readyAt,
      await this.rollovers.nextCheckAt(tx, of.zoneId, now),
    ].filter((check) => check !== null);
    return checks.length === 0 ? null : Math.min(...checks);
  }
}

/** Whether signatures and keys are unchanged. Newer contents are no conflict if they have a later serial. */
function isAsRead(present: ZoneEntity, row: ZoneSigningEntity, { zone, base, serial }: SigningTask): boolean {
  if (row.step !== base.row.step || row.keysVersion !== base.row.keysVersion) return false;
  if (present.publishedSerial !== zone.publishedSerial) return false;
  if (present.version === zone.version) return true;
  return serial === zone.serial && isLaterSerial(present.serial, serial);
}

/** Whether the CDS may have changed. */
function asksParent({ zone, base, toSign }: SigningTask): boolean {
  const apex = DomainName.parse(zone.name);
  return base.isFresh || toSign.some(({ set }) => isParentRequest(set, apex));
}

function recordsIn(rows: readonly SignedSetEntity[]): WireRecord[] {
  return [...recordsOfSigned(rows.map(readSignedSet))];
}

function isSoa({ type }: WireRecord): boolean {
  return type === Type.SOA;
}

function differing(removed: readonly WireRecord[], added: readonly WireRecord[]): [WireRecord[], WireRecord[]] {
  const [before, after] = [new Set(removed.map(textOf)), new Set(added.map(textOf))];
  return [
    removed.filter((record) => !after.has(textOf(record))),
    added.filter((record) => !before.has(textOf(record))),
  ];
}

function textOf(record: WireRecord): string {
  return writeRecords([record]);
}
