import { isIP } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { ThrottledLogger } from '../../common/throttled-logger.js';
import { Coalescer } from '../../common/waiting/coalescer.js';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import { Limiter } from '../../common/waiting/limiter.js';
import { Reads } from '../../database/reads.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { DomainName } from '../../dns/name.js';
import { parsePrimary } from '../../zones/primaries/primaries.js';
import { InboundTransferRepository } from '../../zones/primaries/inbound-transfer.repository.js';
import { CommitHooks } from '../../zones/changes/zone-change-notifier.js';
import { mastersOf } from '../../zones/zone-fields.js';
import { type SecondaryZone, ZoneRepository } from '../../zones/zone.repository.js';
import { NotifyHandler } from '../name-server/query-handler.js';
import { PrimaryAddresses } from './primary-addresses.js';

/** Limit of NOTIFYs that wait for the addresses of primaries; senders of dropped NOTIFYs retry. */
const WAITING = { perTenant: 32, inAll: 256 };
/** Interval of zone lookups during a flood of NOTIFYs, in milliseconds. */
const LOOK_PAUSE = 500;

interface Notify {
  readonly name: DomainName;
  readonly address: string;
}

/** Takes NOTIFY messages from primaries (RFC 1996). */
@Injectable()
export class Notifications extends NotifyHandler implements OnModuleDestroy {
  private readonly pauses = new NotifyPauses();
  private readonly waiting = Limiter.ofTenants('NOTIFYs of masters with names', WAITING);
  private readonly stopping = new AbortController();
  /** Zones with a pending refresh, which are looked up once more. */
  private readonly repeated = new Set<string>();
  private readonly looks = new Coalescer<Notify>((notifies) => this.lookAgain(notifies), {
    gather: () => delay(LOOK_PAUSE, undefined, { ref: false, signal: this.stopping.signal }).catch(() => undefined),
  });
  private readonly failureLog = new ThrottledLogger();

  constructor(
    private readonly zones: ZoneRepository,
    private readonly transfers: InboundTransferRepository,
    private readonly addresses: PrimaryAddresses,
    private readonly commits: CommitHooks,
    private readonly unitOfWork: UnitOfWork,
    private readonly reads: Reads,
    private readonly clock: Clock,
  ) {
    super();
  }

  onModuleDestroy(): void {
    this.stopping.abort();
  }

  /** Schedules a refresh if a primary has that address, on any port. */
  override async take(name: DomainName, address: string): Promise<boolean> {
    const notify = { name, address };
    if (!this.pauses.isAsked(name.key, address)) {
      const zone = await this.find(notify);
      return zone !== undefined && this.takeOf(zone, notify);
    }
    if (!this.repeated.has(name.key)) {
      this.repeated.add(name.key);
      this.looks.add(notify);
    }
    return true;
  }

  private find({ name }: Notify): Promise<SecondaryZone | undefined> {
    return this.reads.run((tx) => this.zones.findSecondary(tx, name.key));
  }

  private async takeOf(zone: SecondaryZone, { name, address }: Notify): Promise<boolean> {
    const masters = await this.mastersAt(zone);
    if (!masters.includes(address)) return false;
    const pause = this.pauses.take(name.key, zone.id, masters);
    if (pause !== null) await this.askIn(zone.id, pause);
    return true;
  }

  /** The zone may have been deleted and created again meanwhile. */
  private async lookAgain(notifies: readonly Notify[]): Promise<void> {
    this.repeated.clear();
    const fail = (error: unknown): void =>
      this.failureLog.warn(`Dropped a NOTIFY from a primary (${String(error)}). The SOA refresh timer still applies.`);
    for (const notify of notifies) {
      await nextTurn();
      if (this.stopping.signal.aborted) return;
      const zone = await this.find(notify).catch(fail);
      // Slow lookups of primary names must not delay other zones.
      if (zone && !this.pauses.isOf(notify.name.key, zone.id)) void this.takeOf(zone, notify).catch(fail);
    }
  }

  private async askIn(zoneId: string, pause: number): Promise<void> {
    const dueAt = this.clock.now() + Math.ceil(pause) * 1000;
    const ask = async (tx: Transaction): Promise<void> => {
      if ((await this.zones.findIn(tx, zoneId)) !== undefined) await this.transfers.askAt(tx, zoneId, dueAt);
    };
    await this.unitOfWork.run(ask, { zoneId });
    if (pause === 0) this.commits.tell(zoneId);
  }

  /** @throws ServiceError `unavailable` if too many NOTIFYs wait for lookups */
  private async mastersAt(zone: SecondaryZone): Promise<string[]> {
    const masters = mastersOf(zone)
      .map(parsePrimary)
      .filter((primary) => primary !== null);
    const end = masters.some(({ host }) => isIP(host) === 0) ? this.waiting.take(zone.tenantId) : () => undefined;
    try {
      const found = await Promise.all(masters.map((primary) => this.addresses.lately(primary, this.stopping.signal)));
      return found.flat().map(({ address }) => address);
    } finally {
      end();
    }
  }
}

/** Minimum time between two refreshes after NOTIFYs, in milliseconds. */
const PAUSE = 2000;
const MOST_ZONES = 10_000;

interface Heard {
  /** Another zone may have the name now. */
  readonly zoneId: string;
  /** Addresses of the primaries at the first NOTIFY. */
  readonly masters: ReadonlySet<string>;
  /** Time of the last or next refresh, as of `performance.now()`. */
  askedAt: number;
}

/** Refreshes immediately, then every two seconds: senders can forge addresses, but a NOTIFY must not get lost. */
class NotifyPauses {
  /** By zone name. */
  private readonly heard = new Map<string, Heard>();

  /** Whether a refresh is already pending and the address belongs to a primary. */
  isAsked(key: string, address: string): boolean {
    const heard = this.heard.get(key);
    return heard !== undefined && heard.masters.has(address) && performance.now() < heard.askedAt;
  }

  /** Whether the name belonged to this zone at its last NOTIFY. */
  isOf(key: string, zoneId: string): boolean {
    return this.heard.get(key)?.zoneId === zoneId;
  }

  /** Returns the delay of the refresh in milliseconds; `null` if one is already pending. */
  take(key: string, zoneId: string, masters: readonly string[]): number | null {
    const now = performance.now();
    const heard = this.heard.get(key);
    const before = heard?.zoneId === zoneId ? heard.askedAt : -Infinity;
    if (now < before) return null;
    const askedAt = Math.max(now, before + PAUSE);
    this.remember(key, { zoneId, masters: new Set(masters), askedAt });
    return askedAt - now;
  }

  private remember(key: string, heard: Heard): void {
    this.heard.delete(key);
    this.heard.set(key, heard);
    for (const first of this.heard.keys()) {
      if (this.heard.size <= MOST_ZONES) break;
      this.heard.delete(first);
    }
  }
}
