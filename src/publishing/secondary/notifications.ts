import { isIP } from 'node:net';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Limiter } from '../../common/waiting/limiter.js';
import { Reads } from '../../database/reads.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { DomainName } from '../../dns/name.js';
import { readMaster } from '../../zones/masters/masters.js';
import { TransferInRepository } from '../../zones/masters/transfer-in.repository.js';
import { ZoneCommits } from '../../zones/changes/zone-commits.js';
import { mastersOf } from '../../zones/zone-type.js';
import { type SecondaryZone, ZoneRepository } from '../../zones/zone.repository.js';
import { NotifyTaker } from '../name-server/notify-taker.js';
import { MasterAddresses } from './master-addresses.js';
import { NotifyPauses } from './notify-pauses.js';

/** NOTIFYs that wait until it is known where the masters are; of others the sender comes again. */
const WAITING = { perTenant: 32, inAll: 256 };

/** Takes the NOTIFYs of masters (RFC 1996). */
@Injectable()
export class Notifications extends NotifyTaker implements OnModuleDestroy {
  private readonly pauses = new NotifyPauses();
  private readonly waiting = Limiter.ofTenants('NOTIFYs of masters with names', WAITING);
  private readonly stopping = new AbortController();

  constructor(
    private readonly zones: ZoneRepository,
    private readonly transfers: TransferInRepository,
    private readonly addresses: MasterAddresses,
    private readonly commits: ZoneCommits,
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
  override async take({ key }: DomainName, address: string): Promise<boolean> {
    if (this.pauses.isAsked(key, address)) return true;
    const zone = await this.reads.run((tx) => this.zones.findSecondary(tx, key));
    if (zone === undefined) return false;
    const masters = await this.mastersAt(zone);
    if (!masters.includes(address)) return false;
    const delay = this.pauses.take(key, masters);
    if (delay !== null) await this.askIn(zone.id, delay);
    return true;
  }

  private async askIn(zoneId: string, delay: number): Promise<void> {
    const dueAt = this.clock.now() + Math.ceil(delay) * 1000;
    const ask = async (tx: Transaction): Promise<void> => {
      if ((await this.zones.findIn(tx, zoneId)) !== undefined) await this.transfers.askAt(tx, zoneId, dueAt);
    };
    await this.unitOfWork.run(ask, { zoneId });
    if (delay === 0) this.commits.tell(zoneId);
  }

  /** @throws ServiceError `unavailable` where names are to be looked up for too many */
  private async mastersAt(zone: SecondaryZone): Promise<string[]> {
    const masters = mastersOf(zone)
      .map(readMaster)
      .filter((master) => master !== null);
    const end = masters.some(({ host }) => isIP(host) === 0) ? this.waiting.take(zone.tenantId) : () => undefined;
    try {
      const found = await Promise.all(masters.map((master) => this.addresses.lately(master, this.stopping.signal)));
      return found.flat().map(({ address }) => address);
    } finally {
      end();
    }
  }
}
