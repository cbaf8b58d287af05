import { administrator } from '../../common/caller.js';
import { RareWarning } from '../../common/rare-warning.js';
import type { SerialRaisingService } from '../../zones/serials/serial-raising.service.js';
import { isLaterSerial } from '../../zones/serials/serial.js';
import type { SignedZones } from '../copies/signed-zones.js';
import type { PublicationRepository } from './publication.repository.js';

/** A zone's serial is raised once in so long: a server that makes up serials does not make it run away. */
const INTERVAL = 60_000;
/** So many zones are remembered for that. */
const REMEMBERED = 10_000;

/** Raises the serials of zones that a server has with a later one, as after a restore: it would ignore all that comes. */
export class SerialLeaders {
  private readonly warning = new RareWarning();
  /** On the monotonic clock, the earliest first. */
  private readonly raisedAt = new Map<string, number>();

  constructor(
    private readonly publications: PublicationRepository,
    private readonly serials: SerialRaisingService,
    private readonly signed: SignedZones,
  ) {}

  async raise(zoneId: string, serial: number, server: string): Promise<void> {
    if (!this.isDue(zoneId)) return;
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
