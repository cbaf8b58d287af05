import { Injectable } from '@nestjs/common';
import { Reads } from '../../database/reads.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { DomainName } from '../../dns/name.js';
import { wireOfKey } from '../../dns/name-key.js';
import { ZoneKeyRepository } from '../keys/zone-key.repository.js';
import { HostedParents } from './hosted-parents.js';
import { OwnChanges } from './own-changes.js';
import { SignalZones } from './signal-zones.js';
import type { ZoneParentEntity } from './zone-parent.entity.js';
import { ZoneParentRepository } from './zone-parent.repository.js';

const AT_ONCE = 100;

/** Takes back what zones that are gone, or not signed any more, have left in other zones of this service. */
@Injectable()
export class StaleParents {
  constructor(
    private readonly parents: ZoneParentRepository,
    private readonly keyRows: ZoneKeyRepository,
    private readonly own: OwnChanges,
    private readonly hosted: HostedParents,
    private readonly signals: SignalZones,
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async run(signal: AbortSignal): Promise<void> {
    for (let isFull = true; isFull && !signal.aborted;) {
      const left = await this.reads.run((tx) => this.parents.left(tx, AT_ONCE));
      for (const row of left) await this.takeBack(row);
      isFull = left.length === AT_ONCE;
    }
  }

  private async takeBack({ zoneId, nameKey }: ZoneParentEntity): Promise<void> {
    const name = DomainName.read(wireOfKey(nameKey));
    const successor = await this.own.lowestOf([nameKey]);
    const keys = await this.reads.run((tx) => this.keyRows.ofZone(tx, zoneId));
    // One that is signed under the same name by now has the same keys, and sees to its own signals.
    if ((successor?.publishedSerial ?? null) === null) {
      await this.hosted.remove(nameKey, name, keys);
      await this.signals.bring(name, [], null);
    }
    await this.unitOfWork.run((tx) => this.parents.delete(tx, zoneId), { zoneId });
  }
}
