import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Reads } from '../../database/reads.js';
import type { DomainName } from '../../dns/name.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { TransferInRepository } from '../../zones/transfer-in.repository.js';
import { ZoneCommits } from '../../zones/zone-commits.js';
import { type SecondaryZone, ZoneRepository } from '../../zones/zone.repository.js';
import { NotifyTaker } from '../name-server/notify-taker.js';
import { addressesOf } from './master-addresses.js';
import { TransferError } from './transfer-error.js';

/** Takes the NOTIFYs of masters (RFC 1996). */
@Injectable()
export class Notifications extends NotifyTaker {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly transfers: TransferInRepository,
    private readonly commits: ZoneCommits,
    private readonly unitOfWork: UnitOfWork,
    private readonly reads: Reads,
    private readonly clock: Clock,
  ) {
    super();
  }

  /** Has the masters of the zone asked, if one of them has that address. From which port it sends says nothing. */
  override async take({ key }: DomainName, address: string): Promise<boolean> {
    const zone = await this.reads.run((tx) => this.zones.findSecondary(tx, key));
    if (zone === undefined || !(await isMaster(zone, address))) return false;
    await this.unitOfWork.run((tx) => this.transfers.askAt(tx, zone.id, this.clock.now()), { zoneId: zone.id });
    this.commits.tell(zone.id);
    return true;
  }
}

async function isMaster(zone: SecondaryZone, address: string): Promise<boolean> {
  try {
    return (await addressesOf(zone)).some((master) => master.address === address);
  } catch (error) {
    if (error instanceof TransferError) return false;
    throw error;
  }
}
