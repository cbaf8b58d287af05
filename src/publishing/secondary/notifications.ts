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
import { CommitHooks } from '../../zones/changes/commit-hooks.js';
import { mastersOf } from '../../zones/zone-type.js';
import { type SecondaryZone, ZoneRepository } from '../../zones/zone.repository.js';
import { NotifyHandler } from '../name-server/notify-handler.js';
import { PrimaryAddresses } from './primary-addresses.js';
import { NotifyPauses } from './notify-pauses.js';

/** NOTIFYs that wait until it is known where the masters are; of others the sender comes again. */
const WAITING = { perTenant: 32, inAll: 256 };
/** In milliseconds: in a flood of NOTIFYs the zone is looked at so often. */
const LOOK_PAUSE = 500;

interface Notify {
  readonly name: DomainName;
  /** Of the sender. */
  readonly address: string;
}

/** Takes the NOTIFYs of masters (RFC 1996). */
@Injectable()
export class Notifications extends NotifyHandler implements OnModuleDestroy {
  private readonly pauses = new NotifyPauses();
  private readonly waiting = Limiter.ofTenants('NOTIFYs of masters with names', WAITING);
  private readonly stopping = new AbortController();
  /** Names of zones whose masters are to be asked already, and that are looked at once more. */
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

  /** Has the masters of the zone asked, if one of them has that address. From which port it sends says nothing. */
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

  /** The zone may have been deleted and made again since its masters were to be asked. */
  private async lookAgain(notifies: readonly Notify[]): Promise<void> {
    this.repeated.clear();
    const fail = (error: unknown): void => this.failureLog.warn(`NOTIFYs of masters are lost: ${String(error)}`);
    for (const notify of notifies) {
      await nextTurn();
      if (this.stopping.signal.aborted) return;
      const zone = await this.find(notify).catch(fail);
      // Names of masters may take long to look up, which is not to delay other zones.
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

  /** @throws ServiceError `unavailable` where names are to be looked up for too many */
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
