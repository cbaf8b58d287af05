import { allOf } from '../../common/all-of.js';
import { administrator } from '../../common/caller.js';
import { ThrottledLogger } from '../../common/throttled-logger.js';
import type { SerialRaisingService } from '../../zones/serials/serial-raising.service.js';
import { isLaterSerial } from '../../zones/serials/serial.js';
import type { SignedZones } from '../transfers/signed-zones.js';
import type { PublicationRepository } from './publication.repository.js';

/** A zone's serial is raised once in so long: a server that makes up serials does not make it run away. */
const INTERVAL = 60_000;
/** So many zones are remembered for that, and so many wait; those beyond are found by a later check. */
const REMEMBERED = 10_000;
/** So many are raised at a time. */
const AT_A_TIME = 100;

/** A server that has a later serial of a zone than this database. */
interface Lead {
  readonly zoneId: string;
  readonly serial: number;
  readonly server: string;
}

/** Raises the serials of zones that a server has with a later one, as after a restore: it would ignore all that comes. */
export class SerialRecovery {
  private readonly warning = new ThrottledLogger();
  /** On the monotonic clock, the earliest first. */
  private readonly raisedAt = new Map<string, number>();
  /** By zone. While a standby takes over it can be read sooner than written to. */
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

  /** Raises the serials of some zones that wait for it. What fails waits on. */
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
    // Another process may have changed it a moment ago.
    if (zone === undefined || !isLaterSerial(serial, zone.serial)) return;
    if (!(await this.signed.mayOvertake(zoneId, serial, server))) return;
    const isRaised = await this.serials.raiseAbove(zoneId, serial, administrator('publisher', 'publisher'));
    if (isRaised)
      this.warning.warn(
        `the name server ${server} has serial ${serial} of zone ${zoneId}, later than this database: its serial was` +
          ' raised. After a restore, zonewright check --raise-serials does so for all zones',
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
