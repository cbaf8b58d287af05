import { setTimeout as delay } from 'node:timers/promises';
import { DomainName } from '../../dns/name.js';
import type { Instant } from '../../common/clock.js';
import { showGauge } from '../../observability/gauge.js';
import { isLaterSerial } from '../../zones/serials/serial.js';
import { Agenda } from '../../common/waiting/agenda.js';
import {
  type PublishedZone,
  PendingPublication,
  type PublicationMeans,
  type PublicationReport,
} from './pending-publication.js';
import { isCurrent } from './is-current.js';
import { LagLog } from './lag-log.js';
import { CATALOG_ID } from '../catalog/catalog.service.js';
import type { Notifier } from './notifier.js';
import type { Answer, PoolMember } from './pool-member.js';
import { LASTING_REFUSAL } from './pool-publication.js';
import type { PublicationEntity } from './publication.entity.js';
import type { WantedZone } from './publication.repository.js';
import type { PublicationWriter } from './publication-writer.js';
import { ServerBacklog } from './server-backlog.js';

/** What checks may cost when nothing changes, in messages to all servers a second. */
const CHECKS = 15;
/** How often a zone is checked on each server where that costs less, in milliseconds. */
const CHECK_INTERVAL = 60_000;
const CHECK_TIME_LIMIT = 2000;
const BUSY_PAUSE = 20;
/** From one reminder of the catalog zone to the next, in milliseconds. */
const REMINDER_INTERVAL = 5000;

const LACKING = {
  name: 'zonewright_zones_to_deliver',
  help: 'Zones of which a name server of the pool does not have the latest serial yet.',
};
const OLDEST_LACK = {
  name: 'zonewright_oldest_delivery_seconds',
  help: 'How long a name server of the pool has been behind.',
};

/** What the state of the pool leads to. */
interface Consequences {
  readonly writer: PublicationWriter;
  readonly now: () => Instant;
  /** A server has a later serial of the zone than this database. */
  readonly isAhead: (zoneId: string, serial: number, server: string) => void;
}

/**
 * What is known of each zone on each server, in memory, in the one process that has the lease: what a server lacks is brought
 * to it, and what it has is checked now and then.
 */
export class PoolState implements PublicationReport {
  private readonly zones = new Map<string, ZoneOfPool>();
  /** Of each server. */
  private readonly backlogs: ReadonlyMap<PoolMember, ServerBacklog>;
  private readonly means: PublicationMeans;
  private readonly lags = new LagLog();
  private readonly remindedAt = new Map<PoolMember, number>();
  private catalog: ZoneOfPool | null = null;
  private readonly hideFigures = this.showFigures();
  private hasEnded = false;
  private checked: Iterator<ZoneOfPool> = [][Symbol.iterator]();

  constructor(
    private readonly members: readonly PoolMember[],
    notifier: Notifier,
    private readonly consequences: Consequences,
  ) {
    this.backlogs = new Map(members.map((member) => [member, new ServerBacklog(members.length)]));
    this.means = { notifier, agenda: new Agenda(), report: this };
  }

  /** Takes what was known before. Returns whether it concerns a zone and a server that there are. */
  restore(row: PublicationEntity): boolean {
    const zone = this.zones.get(row.zoneId);
    const at = this.members.findIndex(({ label }) => label === row.server);
    if (zone === undefined || at < 0) return false;
    zone.standings[at] = row;
    return true;
  }

  /** Notes a zone that is to be published, without doing anything about it yet. */
  add({ id, name, serial }: WantedZone, isCatalog = false): void {
    const standings = this.members.map(({ label }) => unknownStanding(id, label));
    this.zones.set(id, new ZoneOfPool(id, name, serial, isCatalog, standings));
    if (isCatalog) this.catalog = this.zones.get(id) ?? null;
  }

  /** Brings everything to where it is missing, no faster than servers are told of it. */
  async publishAll(): Promise<void> {
    for (const zone of this.zones.values()) {
      while (!this.hasEnded && this.members.some(({ isBusy }) => isBusy)) await delay(BUSY_PAUSE);
      if (this.hasEnded) return;
      this.publish(zone, false);
    }
  }

  /**
   * Notes the zone's serial, and brings it to where it is missing.
   * @param isTold whether another process has changed it, and sent the NOTIFY
   */
  update(wanted: WantedZone, isTold: boolean): void {
    const zone = this.zones.get(wanted.id);
    if (zone === undefined) {
      this.add(wanted, wanted.id === CATALOG_ID);
    } else if (zone.isNews(wanted.serial)) {
      zone.serial = wanted.serial;
    } else {
      // A comparison may have been faster than the news of it.
      if (!isTold) for (const publication of zone.pending.values()) publication.hurry();
      return;
    }
    this.publish(this.zones.get(wanted.id), isTold);
  }

  /** Forgets a zone that was deleted. */
  remove(id: string): void {
    const zone = this.zones.get(id);
    if (zone === undefined) return;
    for (const publication of zone.pending.values()) this.backlogOf(publication).remove(this.ended(publication));
    for (const standing of zone.standings) this.consequences.writer.delete(standing);
    this.zones.delete(id);
  }

  has(id: string): boolean {
    return this.zones.has(id);
  }

  /** The zones of which nothing was heard since then, on the monotonic clock. */
  idsNotSeenSince(time: number): string[] {
    const ids: string[] = [];
    for (const { id, seenAt, isCatalog } of this.zones.values()) if (seenAt < time && !isCatalog) ids.push(id);
    return ids;
  }

  end(): void {
    this.hasEnded = true;
    this.hideFigures();
    for (const zone of this.zones.values()) for (const publication of zone.pending.values()) publication.end();
    this.means.agenda.end();
  }

  answered(publication: PendingPublication, answer: Answer, notified: number | null): void {
    const zone = this.zones.get(publication.zone.id);
    if (zone === undefined) return;
    const backlog = this.backlogOf(publication);
    if (answer.kind === 'silence') backlog.noteSilence();
    else this.hasAnswered(publication);
    this.note(zone, publication.member, answer, notified, backlog.isSilent);
    if (isCurrent(this.standing(zone, publication.member).serial, zone.serial))
      backlog.complete(this.ended(publication));
  }

  lacks({ member, zone }: PendingPublication): void {
    const { catalog } = this;
    if (catalog === null || zone.isCatalog || catalog.pending.has(member)) return;
    const now = performance.now();
    if (now - (this.remindedAt.get(member) ?? -Infinity) < REMINDER_INTERVAL) return;
    this.remindedAt.set(member, now);
    this.beginPublication(member, catalog, false);
  }

  pause(publication: PendingPublication, goesOnAndOn: boolean): number {
    return this.backlogOf(publication).pause(publication, goesOnAndOn);
  }

  /** Notes how far each server is behind, and has the log say what lasts. */
  look(): void {
    for (const [member, backlog] of this.backlogs) {
      backlog.look();
      this.lags.look(member, backlog);
    }
  }

  private backlogOf({ member }: PendingPublication): ServerBacklog {
    const backlog = this.backlogs.get(member);
    if (backlog === undefined) throw new Error(`${member.label} is not a server of the pool`);
    return backlog;
  }

  /** Returns what ends it. */
  private showFigures(): () => void {
    const perServer = (valueOf: (publications: ReadonlySet<PendingPublication>) => number) => () =>
      [...this.backlogs].map(([{ label }, { all }]) => ({ labels: { server: label }, value: valueOf(all) }));
    const hideCount = showGauge(
      LACKING,
      perServer(({ size }) => size),
    );
    const hideAge = showGauge(OLDEST_LACK, perServer(oldestOf), 'max');
    return () => {
      hideCount();
      hideAge();
    };
  }

  private publish(zone: ZoneOfPool | undefined, isTold: boolean): void {
    // Whoever has lost the lease may still be comparing.
    if (zone === undefined || this.hasEnded) return;
    for (const member of this.members)
      if (!isCurrent(this.standing(zone, member).serial, zone.serial)) this.beginPublication(member, zone, isTold);
  }

  private beginPublication(member: PoolMember, zone: ZoneOfPool, isTold: boolean): void {
    let publication = zone.pending.get(member);
    if (publication === undefined) {
      publication = new PendingPublication(zone, member, this.means);
      zone.pending.set(member, publication);
    }
    this.backlogOf(publication).add(publication);
    publication.begin(isTold);
  }

  private ended(publication: PendingPublication): PendingPublication {
    publication.end();
    this.zones.get(publication.zone.id)?.pending.delete(publication.member);
    return publication;
  }

  /** A server that was silent for some time is told everything at once. */
  private hasAnswered(answered: PendingPublication): void {
    const backlog = this.backlogOf(answered);
    const wasSilent = backlog.isSilent;
    backlog.noteAnswer();
    if (!wasSilent) return;
    for (const publication of [...backlog.all]) {
      if (publication === answered || !publication.isUnanswered) continue;
      backlog.add(publication);
      publication.begin(false);
    }
  }

  /** Notes what the server has said, and what follows from it. */
  private note(
    zone: ZoneOfPool,
    member: PoolMember,
    answer: Answer,
    notified: number | null,
    isSilentForLong: boolean,
  ): void {
    const before = this.standing(zone, member);
    const now = this.consequences.now();
    if (answer.kind === 'silence' && !isSilentForLong && before.failingSince === null) return;
    const isTold = notified !== null && (!member.isAsked || zone.isCatalog);
    const serial = answer.kind === 'serial' ? answer.serial : isTold ? notified : before.serial;
    const isSilent = answer.kind === 'silence';
    const after: PublicationEntity = {
      ...before,
      serial,
      changedAt: serial === before.serial ? before.changedAt : now,
      checkedAt: isSilent ? before.checkedAt : now,
      error: errorAfter(before, answer),
      failingSince: isSilent ? (before.failingSince ?? now) : null,
      refusingSince: refusingAfter(before, answer, now),
    };
    zone.standings[this.members.indexOf(member)] = after;
    this.consequences.writer.write(after, isNews(before, after));
    if (answer.kind === 'serial' && isLaterSerial(answer.serial, zone.serial))
      this.consequences.isAhead(zone.id, answer.serial, member.label);
  }

  private standing(zone: ZoneOfPool, member: PoolMember): PublicationEntity {
    return zone.standings[this.members.indexOf(member)] ?? unknownStanding(zone.id, member.label);
  }

  /** From the check of one zone to that of the next, in milliseconds. */
  get checkPause(): number {
    return Math.max((1000 / CHECKS) * this.members.length, CHECK_INTERVAL / Math.max(1, this.zones.size));
  }

  /** Asks all servers for the serial of the zone whose turn it is. */
  checkNext(): void {
    let next = this.checked.next();
    if (next.done === true) {
      this.checked = this.zones.values();
      next = this.checked.next();
    }
    if (next.done === true || next.value.isCatalog) return;
    for (const member of this.members) if (member.isAsked) void this.check(next.value, member);
  }

  private async check(zone: ZoneOfPool, member: PoolMember): Promise<void> {
    if (zone.pending.has(member)) return;
    const answer = await member.serialOf(zone.name, CHECK_TIME_LIMIT);
    if (this.zones.get(zone.id) !== zone || zone.pending.has(member)) return;
    this.note(zone, member, answer, null, false);
    // Whatever is wrong is pursued as if the zone had changed.
    if (answer.kind !== 'serial' || !isCurrent(answer.serial, zone.serial)) this.beginPublication(member, zone, false);
  }
}

/** In seconds; 0 where nothing is lacked. */
function oldestOf(publications: ReadonlySet<PendingPublication>): number {
  let oldest = performance.now();
  const now = oldest;
  for (const { since } of publications) oldest = Math.min(oldest, since);
  return (now - oldest) / 1000;
}

/** A zone, and how each server stands to it. */
class ZoneOfPool implements PublishedZone {
  readonly pending = new Map<PoolMember, PendingPublication>();
  /** When it was last known to be there, on the monotonic clock. */
  seenAt = performance.now();

  constructor(
    readonly id: string,
    private readonly text: string,
    public serial: number,
    readonly isCatalog: boolean,
    /** In the order of the servers. */
    readonly standings: PublicationEntity[],
  ) {}

  /** Notes that it is there, and tells whether that serial is later than the one that was wanted. */
  isNews(serial: number): boolean {
    this.seenAt = performance.now();
    return isLaterSerial(serial, this.serial);
  }

  /** Read when it is needed: there may be a hundred thousand of them. */
  get name(): DomainName {
    return DomainName.parse(this.text);
  }
}

function unknownStanding(zoneId: string, server: string): PublicationEntity {
  return {
    zoneId,
    server,
    serial: null,
    changedAt: null,
    checkedAt: null,
    error: null,
    failingSince: null,
    refusingSince: null,
  };
}

/** An error stays until the server has answered with a serial, or has taken a NOTIFY after silence. */
function errorAfter(before: PublicationEntity, answer: Answer): string | null {
  if (answer.kind === 'silence' || answer.kind === 'error') {
    // The same text of ten thousand zones is kept once for each of them only where it changes.
    return answer.reason === before.error ? before.error : answer.reason.slice(0, 255);
  }
  return answer.kind === 'serial' || before.failingSince !== null ? null : before.error;
}

/** A refusal stands like an error, also while the server is silent. */
function refusingAfter(before: PublicationEntity, answer: Answer, now: Instant): Instant | null {
  if (answer.kind === 'error') return answer.isRefusal ? (before.refusingSince ?? now) : null;
  return errorAfter(before, answer) === null ? null : before.refusingSince;
}

/** Whether the server has refused the zone for long. */
function isRefusing({ checkedAt, refusingSince }: PublicationEntity): boolean {
  return checkedAt !== null && refusingSince !== null && checkedAt - refusingSince >= LASTING_REFUSAL;
}

function isNews(before: PublicationEntity, after: PublicationEntity): boolean {
  return (
    before.serial !== after.serial ||
    isRefusing(before) !== isRefusing(after) ||
    before.error !== after.error ||
    (before.failingSince === null) !== (after.failingSince === null)
  );
}
