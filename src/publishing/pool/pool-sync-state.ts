import type { Instant } from '../../common/clock.js';
import { Agenda } from '../../common/waiting/agenda.js';
import { ThrottledLogger } from '../../common/throttled-logger.js';
import { isLaterSerial } from '../../zones/serials/serial.js';
import { CATALOG_ID } from '../catalog/catalog-id.js';
import { isInSync } from './is-in-sync.js';
import { LagLog } from './lag-log.js';
import type { Notifier } from './notifier.js';
import { PendingSync, type PublicationMeans, type PublicationReport } from './pending-sync.js';
import { showPoolMetrics } from './pool-metrics.js';
import type { Answer, PoolMember, SentAnswer } from './pool-member.js';
import type { PublicationEntity } from './publication.entity.js';
import type { WantedZone } from './publication.repository.js';
import type { PublicationWriter } from './publication-writer.js';
import { ServerBacklog } from './server-backlog.js';
import { SERVER_ID } from './server-id.js';
import { isNews, statusAfter, statusAfterSample, unknownStatus } from './name-server-status.js';

/** From one reminder of the catalog zone to the next, in milliseconds. */
const REMINDER_INTERVAL = 5000;

/** Where it is noted what becomes known. */
export type PublicationNotes = Pick<PublicationWriter, 'find' | 'write' | 'delete'>;

/** What the state of the pool leads to. */
interface Consequences {
  readonly writer: PublicationNotes;
  readonly now: () => Instant;
  /** A server has a later serial of the zone than this database. */
  readonly isAhead: (zoneId: string, serial: number, server: string) => void;
  /** A server has the serial of the zone; what it answers under it is to be looked at. */
  readonly hasSerial: (zone: WantedZone, member: PoolMember) => void;
}

/**
 * What servers lack, in the one process that has the lease: it is brought to them. What they have is in the database, and so is
 * what they lack beyond a window of it.
 */
export class PoolSyncState implements PublicationReport {
  /** Of each server. */
  private readonly backlogs: ReadonlyMap<PoolMember, ServerBacklog>;
  private readonly means: PublicationMeans;
  private readonly lags = new LagLog();
  private readonly inconsistencies = new ThrottledLogger();
  private readonly remindedAt = new Map<PoolMember, number>();
  private catalog: WantedZone | null = null;
  /** How servers stand to the catalog zone, by their labels. */
  private readonly catalogStatuses = new Map<string, PublicationEntity>();
  /** Servers that give no answer or have given none, by their labels. */
  private readonly silentServers = new Map<string, PublicationEntity>();
  private readonly hideFigures: () => void;
  private hasEnded = false;

  constructor(
    readonly members: readonly PoolMember[],
    notifier: Notifier,
    private readonly consequences: Consequences,
  ) {
    this.backlogs = new Map(members.map((member) => [member, new ServerBacklog(members.length)]));
    this.hideFigures = showPoolMetrics(this.backlogs);
    this.means = { notifier, agenda: new Agenda(), report: this };
  }

  /** Takes what was known before of the catalog zone, and of servers as a whole. */
  restore(rows: readonly PublicationEntity[]): void {
    for (const row of rows) {
      const isMember = this.members.some(({ label }) => label === row.server);
      const known = row.zoneId === CATALOG_ID ? this.catalogStatuses : this.silentServers;
      if (isMember) known.set(row.server, row);
      else this.consequences.writer.delete(row);
    }
  }

  /**
   * Brings the zone with its serial to where it is missing.
   * @param rows what the database knows of it
   * @param isTold whether another process has changed it, and sent the NOTIFY
   */
  update(zone: WantedZone, rows: readonly PublicationEntity[], isTold: boolean): void {
    // Whoever has lost the lease may still be comparing.
    if (this.hasEnded) return;
    if (zone.id === CATALOG_ID) this.catalog = zone;
    for (const member of this.members) this.updateAt(member, zone, rows, isTold);
  }

  /**
   * The same at one server, for what a look at the database has found missing.
   * @returns whether there was room for it
   */
  fill(member: PoolMember, zone: WantedZone, rows: readonly PublicationEntity[], isTold: boolean): boolean {
    const backlog = this.backlogAt(member);
    if (backlog.find(zone.id) === undefined && !backlog.hasRoom) return false;
    if (!this.hasEnded) this.updateAt(member, zone, rows, isTold);
    return true;
  }

  /** Forgets a zone that was deleted. */
  remove(id: string): void {
    for (const member of this.members) {
      const publication = this.backlogAt(member).find(id);
      if (publication !== undefined) this.drop(publication);
      this.consequences.writer.delete({ zoneId: id, server: member.label });
    }
  }

  /** The zones that servers lack, as far as they are in memory; without the catalog zone. */
  get pendingIds(): string[] {
    const ids = new Set<string>();
    for (const { all } of this.backlogs.values()) for (const { zone } of all) ids.add(zone.id);
    ids.delete(CATALOG_ID);
    return [...ids];
  }

  end(): void {
    this.hasEnded = true;
    this.hideFigures();
    for (const { all } of this.backlogs.values()) for (const publication of all) publication.end();
    this.means.agenda.end();
  }

  answered(publication: PendingSync, answer: SentAnswer, notified: number | null): void {
    const { zone, member, status } = publication;
    const backlog = this.backlogAt(member);
    if (answer.kind === 'silence') {
      backlog.recordSilence();
      if (backlog.isSilent) this.recordServer(member, answer);
    } else this.hasAnswered(publication);
    publication.status = this.note(zone, member, status, { answer, notified, isSilentForLong: backlog.isSilent });
    if (hasArrived(member, zone, publication.status)) {
      publication.end();
      backlog.complete(publication);
      this.sample(member, zone);
    } else if (answer.kind === 'error' && answer.isRefusal && backlog.skipsRefused) this.leaveOut(publication);
  }

  lacks({ member, isCatalog }: PendingSync): void {
    const { catalog } = this;
    if (catalog === null || isCatalog || this.backlogAt(member).find(CATALOG_ID) !== undefined) return;
    const now = performance.now();
    if (now - (this.remindedAt.get(member) ?? -Infinity) < REMINDER_INTERVAL) return;
    this.remindedAt.set(member, now);
    this.begin(member, catalog, this.statusOf(member, CATALOG_ID, []), false);
  }

  pause(publication: PendingSync, goesOnAndOn: boolean): number {
    return this.backlogAt(publication.member).pause(publication, goesOnAndOn);
  }

  /** To be called once a second: notes how far each server is behind, and has the log say what lasts. */
  look(): void {
    for (const [member, backlog] of this.backlogs) {
      backlog.look();
      this.lags.look(member, backlog);
      const { inVain } = backlog;
      if (inVain !== null) this.leaveOut(inVain);
    }
  }

  /** Whether that server is known to lack the zone, or is suspected of it. */
  isPending(member: PoolMember, zoneId: string): boolean {
    return this.backlogAt(member).find(zoneId) !== undefined;
  }

  /**
   * Takes the answer to a question that was asked for no particular reason.
   * @returns whether the server has the serial of the zone
   */
  check(member: PoolMember, zone: WantedZone, rows: readonly PublicationEntity[], answer: Answer): boolean {
    if (this.hasEnded || answer.kind === 'unsent' || this.isPending(member, zone.id)) return false;
    if (answer.kind !== 'silence') this.recordServer(member, { kind: 'done' });
    const before = this.statusOf(member, zone.id, rows);
    const status = this.note(zone, member, before, { answer, notified: null, isSilentForLong: false });
    if (answer.kind === 'serial' && isInSync(answer.serial, zone.serial)) {
      if (status.inconsistency !== null) this.sample(member, zone);
      return true;
    }
    // Whatever is wrong is pursued as if the zone had changed.
    if (this.backlogAt(member).hasRoom) this.begin(member, zone, status, false);
    return false;
  }

  /** Has the answers of a server looked at that has the serial of the zone. */
  sample(member: PoolMember, zone: WantedZone): void {
    if (isProven(member, zone)) this.consequences.hasSerial(zone, member);
  }

  /** Takes what a sample of the server's answers has shown. What has changed meanwhile is sampled when it has arrived. */
  recordSample(member: PoolMember, zone: WantedZone, rows: readonly PublicationEntity[], finding: string | null): void {
    if (this.hasEnded || this.isPending(member, zone.id)) return;
    const before = this.statusOf(member, zone.id, rows);
    const after = statusAfterSample(before, finding, this.consequences.now());
    if (after === before) return;
    if (finding !== null)
      this.inconsistencies.warn(
        `Name server ${member.label} has the serial of ${zone.name} and answers otherwise (${finding}).` +
          ' zonewright zone status shows it; docs/publishing.md says what to do.',
      );
    this.consequences.writer.write(after, true);
  }

  backlogAt(member: PoolMember): ServerBacklog {
    const backlog = this.backlogs.get(member);
    if (backlog === undefined) throw new Error(`${member.label} is not a server of the pool`);
    return backlog;
  }

  private updateAt(member: PoolMember, zone: WantedZone, rows: readonly PublicationEntity[], isTold: boolean): void {
    const pending = this.backlogAt(member).find(zone.id);
    if (pending === undefined) {
      const status = this.statusOf(member, zone.id, rows);
      if (!hasArrived(member, zone, status)) this.begin(member, zone, status, isTold);
    } else if (isLaterSerial(zone.serial, pending.zone.serial)) {
      pending.zone = zone;
      this.beginAnew(pending, isTold);
      // A comparison may have been faster than the news of it.
    } else if (!isTold) pending.hurry();
  }

  private begin(member: PoolMember, zone: WantedZone, status: PublicationEntity, isTold: boolean): void {
    const { surplus } = this.backlogAt(member);
    if (surplus !== null) this.leaveOut(surplus);
    this.beginAnew(new PendingSync(zone, member, status, this.means), isTold);
  }

  private beginAnew(publication: PendingSync, isTold: boolean): void {
    this.backlogAt(publication.member).add(publication);
    publication.begin(isTold);
  }

  private drop(publication: PendingSync): void {
    publication.end();
    this.backlogAt(publication.member).remove(publication);
  }

  /** From now on only the database knows that it is missing. */
  private leaveOut(publication: PendingSync): void {
    this.backlogAt(publication.member).leaveOut();
    this.drop(publication);
  }

  /** A server that was silent for some time is told everything at once. */
  private hasAnswered(answered: PendingSync): void {
    const backlog = this.backlogAt(answered.member);
    const wasSilent = backlog.isSilent;
    backlog.recordAnswer();
    this.recordServer(answered.member, { kind: 'done' });
    if (!wasSilent) return;
    for (const publication of [...backlog.all])
      if (publication !== answered && publication.isUnanswered) this.beginAnew(publication, false);
  }

  /** Notes whether a server is silent as a whole: what it lacks and is not in memory is not tried zone by zone. */
  private recordServer({ label }: PoolMember, answer: SentAnswer): void {
    const before = this.silentServers.get(label) ?? unknownStatus(SERVER_ID, label);
    if ((answer.kind === 'silence') === (before.failingSince !== null)) return;
    const after = statusAfter(before, answer, null, this.consequences.now());
    this.silentServers.set(label, after);
    this.consequences.writer.write(after, true);
  }

  /** Notes what the server has said, and what follows from it. */
  private note(
    zone: WantedZone,
    member: PoolMember,
    before: PublicationEntity,
    { answer, notified, isSilentForLong }: Said,
  ): PublicationEntity {
    if (answer.kind === 'silence' && !isSilentForLong && before.failingSince === null) return before;
    const after = statusAfter(before, answer, isProven(member, zone) ? null : notified, this.consequences.now());
    if (zone.id === CATALOG_ID) this.catalogStatuses.set(member.label, after);
    this.consequences.writer.write(after, isNews(before, after));
    if (answer.kind === 'serial' && isLaterSerial(answer.serial, zone.serial))
      this.consequences.isAhead(zone.id, answer.serial, member.label);
    return after;
  }

  /** What is not written yet goes before what was read. */
  private statusOf({ label }: PoolMember, zoneId: string, rows: readonly PublicationEntity[]): PublicationEntity {
    const noted = this.consequences.writer.find(zoneId, label) ?? null;
    const known = zoneId === CATALOG_ID ? this.catalogStatuses.get(label) : rows.find(({ server }) => server === label);
    return noted ?? known ?? unknownStatus(zoneId, label);
  }
}

/** Whether the server is asked for the serial. Knot answers no question for the catalog zone. */
function isProven(member: PoolMember, zone: WantedZone): boolean {
  return member.isAsked && zone.id !== CATALOG_ID;
}

/** Whether the server has what is wanted, or has been told of it where it is not asked. */
function hasArrived(member: PoolMember, zone: WantedZone, status: PublicationEntity): boolean {
  return isInSync(isProven(member, zone) ? status.serial : status.notifiedSerial, zone.serial);
}

interface Said {
  readonly answer: SentAnswer;
  /** The serial of the NOTIFY that it answers; `null` where it answers none. */
  readonly notified: number | null;
  /** Whether the server has been silent for some time. */
  readonly isSilentForLong: boolean;
}
