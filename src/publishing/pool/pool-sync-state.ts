import type { Instant } from '../../common/clock.js';
import { Agenda } from '../../common/waiting/agenda.js';
import { ThrottledLogger } from '../../common/throttled-logger.js';
import { isLaterSerial } from '../../zones/serials/serial.js';
import { CATALOG_ID } from '../catalog/catalog.entity.js';
import { isInSync, SERVER_ID, isNews, statusAfter, statusAfterSample, unknownStatus } from './name-server-status.js';
import { LagLog, showPoolMetrics, ServerBacklog } from './server-backlog.js';
import type { Notifier, Answer, PoolMember, SentAnswer } from './pool-member.js';
import { PendingSync, type PublicationMeans, type PublicationReport } from './pending-sync.js';
import type { PublicationEntity } from './publication.entity.js';
import type { WantedZone } from './publication.repository.js';
import type { PublicationWriter } from './publication-writer.js';

/** Minimum time between two NOTIFYs for the catalog zone, in milliseconds. */
const REMINDER_INTERVAL = 5000;
/** Minimum time between two stored answers of a server, in microseconds. */
const ANSWER_NOTED_EVERY = 30_000_000;

export type PublicationNotes = Pick<PublicationWriter, 'find' | 'write' | 'delete'>;

interface Consequences {
  readonly writer: PublicationNotes;
  readonly now: () => Instant;
  /** A server has a later serial than this database. */
  readonly isAhead: (zoneId: string, serial: number, server: string) => void;
  /** A server has the serial of the zone, so its answers can be sampled. */
  readonly hasSerial: (zone: WantedZone, member: PoolMember) => void;
}

/** Tracks the zones that each server lacks, and publishes them. Zones beyond the window are only in the database. */
export class PoolSyncState implements PublicationReport {
  private readonly backlogs: ReadonlyMap<PoolMember, ServerBacklog>;
  private readonly means: PublicationMeans;
  private readonly lags = new LagLog();
  private readonly inconsistencies = new ThrottledLogger();
  private readonly remindedAt = new Map<PoolMember, number>();
  private catalog: WantedZone | null = null;
  /** Status of the catalog zone by server label. */
  private readonly catalogStatuses = new Map<string, PublicationEntity>();
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

  restore(rows: readonly PublicationEntity[]): void {
    for (const row of rows) {
      const isMember = this.members.some(({ label }) => label === row.server);
      const known = row.zoneId === CATALOG_ID ? this.catalogStatuses : this.silentServers;
      if (isMember) known.set(row.server, row);
      else this.consequences.writer.delete(row);
    }
  }

  /** `rows`: stored statuses of the zone. `isTold`: another process has changed the zone and sent the NOTIFY. */
  update(zone: WantedZone, rows: readonly PublicationEntity[], isTold: boolean): void {
    // A comparison may still run after the lease was lost.
    if (this.hasEnded) return;
    if (zone.id === CATALOG_ID) this.catalog = zone;
    for (const member of this.members) this.updateAt(member, zone, rows, isTold);
  }

  /** Returns whether the backlog had room. */
  fill(member: PoolMember, zone: WantedZone, rows: readonly PublicationEntity[], isTold: boolean): boolean {
    const backlog = this.backlogAt(member);
    if (backlog.find(zone.id) === undefined && !backlog.hasRoom) return false;
    if (!this.hasEnded) this.updateAt(member, zone, rows, isTold);
    return true;
  }

  remove(id: string): void {
    for (const member of this.members) {
      const publication = this.backlogAt(member).find(id);
      if (publication !== undefined) this.drop(publication);
      this.consequences.writer.delete({ zoneId: id, server: member.label });
    }
  }

  /** IDs of lacking zones in memory, without the catalog zone. */
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

  /** Updates the backlogs and logs lagging servers. Call it every second. */
  look(): void {
    for (const [member, backlog] of this.backlogs) {
      backlog.look();
      this.lags.look(member, backlog);
      const { inVain } = backlog;
      if (inVain !== null) this.leaveOut(inVain);
    }
  }

  /** Whether the server lacks the zone or may lack it. */
  isPending(member: PoolMember, zoneId: string): boolean {
    return this.backlogAt(member).find(zoneId) !== undefined;
  }

  /** Returns whether the server has the serial of the zone. */
  check(member: PoolMember, zone: WantedZone, rows: readonly PublicationEntity[], answer: Answer): boolean {
    if (this.hasEnded || answer.kind === 'unsent' || this.isPending(member, zone.id)) return false;
    if (answer.kind !== 'silence') this.recordServer(member, { kind: 'done' });
    const before = this.statusOf(member, zone.id, rows);
    const status = this.note(zone, member, before, { answer, notified: null, isSilentForLong: false });
    if (answer.kind === 'serial' && isInSync(answer.serial, zone.serial)) {
      if (status.inconsistency !== null) this.sample(member, zone);
      return true;
    }
    // Any deviation is handled like a change of the zone.
    if (this.backlogAt(member).hasRoom) this.begin(member, zone, status, false);
    return false;
  }

  sample(member: PoolMember, zone: WantedZone): void {
    if (isProven(member, zone)) this.consequences.hasSerial(zone, member);
  }

  /** Stores the result of a sample. A zone that has changed meanwhile is sampled again later. */
  recordSample(member: PoolMember, zone: WantedZone, rows: readonly PublicationEntity[], finding: string | null): void {
    if (this.hasEnded || this.isPending(member, zone.id)) return;
    const before = this.statusOf(member, zone.id, rows);
    const after = statusAfterSample(before, finding, this.consequences.now());
    if (after === before) return;
    if (finding !== null)
      this.inconsistencies.warn(
        `Name server ${member.label} has the serial of ${zone.name} but gives other answers (${finding}).` +
          ' See zonewright zone status and docs/publishing.md.',
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
      // The comparison may find a change before its notification arrives.
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

  /** From now on only the database knows that the server lacks the zone. */
  private leaveOut(publication: PendingSync): void {
    this.backlogAt(publication.member).leaveOut();
    this.drop(publication);
  }

  /** Sends all unanswered NOTIFYs again when a silent server answers. */
  private hasAnswered(answered: PendingSync): void {
    const backlog = this.backlogAt(answered.member);
    const wasSilent = backlog.isSilent;
    backlog.recordAnswer();
    this.recordServer(answered.member, { kind: 'done' });
    if (!wasSilent) return;
    for (const publication of [...backlog.all])
      if (publication !== answered && publication.isUnanswered) this.beginAnew(publication, false);
  }

  /** Stores whether the whole server is silent, so that zones beyond the window need no query each, and its last answer. */
  private recordServer({ label }: PoolMember, answer: SentAnswer): void {
    const before = this.silentServers.get(label) ?? unknownStatus(SERVER_ID, label);
    const now = this.consequences.now();
    const isChange = (answer.kind === 'silence') !== (before.failingSince !== null);
    const isStale = answer.kind !== 'silence' && now - (before.checkedAt ?? 0) >= ANSWER_NOTED_EVERY;
    if (!isChange && !isStale) return;
    const after = statusAfter(before, answer, null, now);
    this.silentServers.set(label, after);
    this.consequences.writer.write(after, isChange || before.checkedAt === null);
  }

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

  /** Unwritten statuses take precedence over rows. */
  private statusOf({ label }: PoolMember, zoneId: string, rows: readonly PublicationEntity[]): PublicationEntity {
    const noted = this.consequences.writer.find(zoneId, label) ?? null;
    const known = zoneId === CATALOG_ID ? this.catalogStatuses.get(label) : rows.find(({ server }) => server === label);
    return noted ?? known ?? unknownStatus(zoneId, label);
  }
}

/** Whether the server is asked for the serial. Knot does not answer queries for the catalog zone. */
function isProven(member: PoolMember, zone: WantedZone): boolean {
  return member.isAsked && zone.id !== CATALOG_ID;
}

/** Whether the server has the serial, or, if it is only notified, has answered a NOTIFY for the serial. */
function hasArrived(member: PoolMember, zone: WantedZone, status: PublicationEntity): boolean {
  return isInSync(isProven(member, zone) ? status.serial : status.notifiedSerial, zone.serial);
}

interface Said {
  readonly answer: SentAnswer;
  readonly notified: number | null;
  readonly isSilentForLong: boolean;
}
