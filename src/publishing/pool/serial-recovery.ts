import { Injectable } from '@nestjs/common';
import { allOf } from '../../common/all-of.js';
import { administrator } from '../../common/caller.js';
import { ThrottledLogger } from '../../common/throttled-logger.js';
import { SerialRaisingService } from '../../zones/serials/serial-raising.service.js';
import { isLaterSerial } from '../../zones/serials/serial.js';
import { SignedZones } from '../transfers/signed-zones.js';
import { PublicationRepository } from './publication.repository.js';

/** In milliseconds. Limits the effect of a server with invented serials. */
const INTERVAL = 60_000;
/** Limit of remembered and of waiting zones; a later check finds the others. */
const REMEMBERED = 10_000;
const AT_A_TIME = 100;

interface Lead {
  readonly zoneId: string;
  readonly serial: number;
  readonly server: string;
}

/** Raises serials that a server is ahead of, as after a restore. The server would otherwise ignore all changes. */
@Injectable()
export class SerialRecovery {
  private readonly warning = new ThrottledLogger();
  /** On the monotonic clock, earliest first. */
  private readonly raisedAt = new Map<string, number>();
  /** By zone. During a failover, a standby can be read before it can be written. */
  private readonly waiting = new Map<string, Lead>();

  constructor(
    private readonly publications: PublicationRepository,
    private readonly serials: SerialRaisingService,
    private readonly signed: SignedZones,
  ) {}

  get isWaiting(): boolean {
    return this.waiting.size > 0;
  }

  note(lead: Lead): void {
    if (this.waiting.size < REMEMBERED && this.isDue(lead.zoneId)) this.waiting.set(lead.zoneId, lead);
  }

  /** Failed zones keep waiting. */
  async raiseNext(): Promise<void> {
    const some = [...this.waiting.values()].slice(0, AT_A_TIME);
    await allOf(
      some.map(async (lead) => {
        await this.raise(lead);
        this.waiting.delete(lead.zoneId);
      }),
    );
  }

  private async raise({ zoneId, serial, server }: Lead): Promise<void> {
    const [zone] = await this.publications.zones([zoneId]);
    // Another process may have raised it already.
    if (zone === undefined || !isLaterSerial(serial, zone.serial)) return;
    if (!(await this.signed.mayOvertake(zoneId, serial, server))) return;
    const isRaised = await this.serials.raiseAbove(zoneId, serial, administrator('publisher', 'publisher'));
    if (isRaised)
      this.warning.warn(
        `Raised the serial of zone ${zoneId}: name server ${server} has the later serial ${serial}. After a restore,` +
          ' zonewright check --raise-serials raises all zones.',
      );
  }

  private isDue(zoneId: string): boolean {
    const now = performance.now();
    if (now - (this.raisedAt.get(zoneId) ?? -Infinity) < INTERVAL) return false;
    this.raisedAt.delete(zoneId);
    this.raisedAt.set(zoneId, now);
    const [first] = this.raisedAt.keys();
    if (this.raisedAt.size > REMEMBERED && first !== undefined) this.raisedAt.delete(first);
    return true;
  }
}
