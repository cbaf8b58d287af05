import { setTimeout as delay } from 'node:timers/promises';
import { DomainName } from '../../dns/name.js';
import type { Instant } from '../../common/clock.js';
import { isLaterSerial } from '../../zones/serial.js';
import { type DeliveredZone, Delivery, type DeliveryReport } from './delivery.js';
import { isCurrent } from './is-current.js';
import { LagLog } from './lag-log.js';
import { CATALOG_ID } from '../catalog/catalog.service.js';
import type { Notifier } from './notifier.js';
import type { Answer, PoolMember } from './pool-member.js';
import type { PublicationEntity } from './publication.entity.js';
import type { WantedZone } from './publication.repository.js';
import type { PublicationWriter } from './publication-writer.js';

/** What repetitions and checks may cost when nothing changes, in messages of one kind to all servers a second. */
const REPETITIONS = 16;
const CHECKS = 15;
/** What first attempts may cost while much is missing, in messages of one kind to one server a second. */
const ATTEMPTS = 100;
/** How often a zone is checked on each server where that costs less, in milliseconds. */
const CHECK_INTERVAL = 60_000;
/** Between repetitions to one server, however few there are, in milliseconds. */
const SHORTEST_PAUSE = 4000;
const CHECK_PATIENCE = 2000;
const BUSY_PAUSE = 20;
/** From one reminder of the catalog zone to the next, in milliseconds. */
const REMINDER_INTERVAL = 5000;

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
export class PoolState implements DeliveryReport {
  private readonly zones = new Map<string, ZoneOfPool>();
  /** Of each server. */
  private readonly deliveries = new Map<PoolMember, Set<Delivery>>();
  private readonly lags = new LagLog();
  private readonly lagTimer = setInterval(() => this.lags.look(this.deliveries), 1000);
  private readonly remindedAt = new Map<PoolMember, number>();
  private catalog: ZoneOfPool | null = null;
  private hasEnded = false;
  private checkTimer: NodeJS.Timeout | undefined;
  private checked: Iterator<ZoneOfPool> = [][Symbol.iterator]();

  constructor(
    private readonly members: readonly PoolMember[],
    private readonly notifier: Notifier,
    private readonly consequences: Consequences,
  ) {
    for (const member of members) this.deliveries.set(member, new Set());
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
  async deliverAll(): Promise<void> {
    this.scheduleCheck();
    for (const zone of this.zones.values()) {
      while (!this.hasEnded && this.members.some(({ isBusy }) => isBusy)) await delay(BUSY_PAUSE);
      if (this.hasEnded) return;
      this.deliver(zone, false);
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
    } else if (isLaterSerial(wanted.serial, zone.serial)) {
      zone.serial = wanted.serial;
    } else {
      // A comparison may have been faster than the news of it.
      if (!isTold) for (const delivery of zone.deliveries.values()) delivery.hurry();
      return;
    }
    this.deliver(this.zones.get(wanted.id), isTold);
  }

  /** Forgets a zone that was deleted. */
  remove(id: string): void {
    const zone = this.zones.get(id);
    if (zone === undefined) return;
    for (const delivery of zone.deliveries.values()) this.endDelivery(delivery);
    for (const standing of zone.standings) this.consequences.writer.delete(standing);
    this.zones.delete(id);
  }

  get ids(): Iterable<string> {
    return this.zones.keys();
  }

  end(): void {
    this.hasEnded = true;
    clearInterval(this.lagTimer);
    clearTimeout(this.checkTimer);
    for (const zone of this.zones.values()) for (const delivery of zone.deliveries.values()) delivery.end();
  }

  answered(delivery: Delivery, answer: Answer, notified: number | null): void {
    const zone = this.zones.get(delivery.zone.id);
    if (zone === undefined) return;
    if (answer.kind !== 'silence') this.hasAnswered(delivery);
    this.note(zone, delivery.member, answer, notified, delivery.isUnanswered);
    if (isCurrent(this.standing(zone, delivery.member).serial, zone.serial)) this.endDelivery(delivery);
  }

  lacks({ member, zone }: Delivery): void {
    const { catalog } = this;
    if (catalog === null || zone.isCatalog || catalog.deliveries.has(member)) return;
    const now = performance.now();
    if (now - (this.remindedAt.get(member) ?? -Infinity) < REMINDER_INTERVAL) return;
    this.remindedAt.set(member, now);
    this.beginDelivery(member, catalog, false);
  }

  pause(member: PoolMember, goesOnAndOn: boolean): number {
    const waiting = this.deliveries.get(member)?.size ?? 0;
    // What began together is spread.
    const share = waiting * 1000 * (0.5 + Math.random());
    return goesOnAndOn ? Math.max(SHORTEST_PAUSE, (share * this.members.length) / REPETITIONS) : share / ATTEMPTS;
  }

  private deliver(zone: ZoneOfPool | undefined, isTold: boolean): void {
    if (zone === undefined) return;
    for (const member of this.members)
      if (!isCurrent(this.standing(zone, member).serial, zone.serial)) this.beginDelivery(member, zone, isTold);
  }

  private beginDelivery(member: PoolMember, zone: ZoneOfPool, isTold: boolean): void {
    let delivery = zone.deliveries.get(member);
    if (delivery === undefined) {
      delivery = new Delivery(zone, member, this.notifier, this);
      zone.deliveries.set(member, delivery);
      this.deliveries.get(member)?.add(delivery);
    }
    delivery.begin(isTold);
  }

  private endDelivery(delivery: Delivery): void {
    delivery.end();
    this.deliveries.get(delivery.member)?.delete(delivery);
    this.zones.get(delivery.zone.id)?.deliveries.delete(delivery.member);
  }

  /** A server that was silent for some time is told everything at once. */
  private hasAnswered(answered: Delivery): void {
    if (!answered.isUnanswered) return;
    for (const delivery of this.deliveries.get(answered.member) ?? [])
      if (delivery !== answered && delivery.isUnanswered) delivery.begin(false);
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
    };
    zone.standings[this.members.indexOf(member)] = after;
    this.consequences.writer.write(after, isNews(before, after));
    if (answer.kind === 'serial' && isLaterSerial(answer.serial, zone.serial))
      this.consequences.isAhead(zone.id, answer.serial, member.label);
  }

  private standing(zone: ZoneOfPool, member: PoolMember): PublicationEntity {
    return zone.standings[this.members.indexOf(member)] ?? unknownStanding(zone.id, member.label);
  }

  private scheduleCheck(): void {
    const pause = Math.max((1000 / CHECKS) * this.members.length, CHECK_INTERVAL / Math.max(1, this.zones.size));
    this.checkTimer = setTimeout(() => this.checkNext(), pause);
  }

  /** Asks all servers for the serial of the zone whose turn it is. */
  private checkNext(): void {
    this.scheduleCheck();
    let next = this.checked.next();
    if (next.done === true) {
      this.checked = this.zones.values();
      next = this.checked.next();
    }
    if (next.done === true || next.value.isCatalog) return;
    for (const member of this.members) if (member.isAsked) void this.check(next.value, member);
  }

  private async check(zone: ZoneOfPool, member: PoolMember): Promise<void> {
    if (zone.deliveries.has(member)) return;
    const answer = await member.serialOf(zone.name, CHECK_PATIENCE);
    if (this.zones.get(zone.id) !== zone || zone.deliveries.has(member)) return;
    this.note(zone, member, answer, null, false);
    // Whatever is wrong is pursued as if the zone had changed.
    if (answer.kind !== 'serial' || !isCurrent(answer.serial, zone.serial)) this.beginDelivery(member, zone, false);
  }
}

/** A zone, and how each server stands to it. */
class ZoneOfPool implements DeliveredZone {
  readonly deliveries = new Map<PoolMember, Delivery>();

  constructor(
    readonly id: string,
    private readonly text: string,
    public serial: number,
    readonly isCatalog: boolean,
    /** In the order of the servers. */
    readonly standings: PublicationEntity[],
  ) {}

  /** Read when it is needed: there may be a hundred thousand of them. */
  get name(): DomainName {
    return DomainName.parse(this.text);
  }
}

function unknownStanding(zoneId: string, server: string): PublicationEntity {
  return { zoneId, server, serial: null, changedAt: null, checkedAt: null, error: null, failingSince: null };
}

/** An error stays until the server has answered with a serial, or has taken a NOTIFY after silence. */
function errorAfter(before: PublicationEntity, answer: Answer): string | null {
  if (answer.kind === 'silence' || answer.kind === 'error') return answer.reason.slice(0, 255);
  return answer.kind === 'serial' || before.failingSince !== null ? null : before.error;
}

function isNews(before: PublicationEntity, after: PublicationEntity): boolean {
  return (
    before.serial !== after.serial ||
    before.error !== after.error ||
    (before.failingSince === null) !== (after.failingSince === null)
  );
}
