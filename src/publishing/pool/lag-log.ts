import { Logger } from '@nestjs/common';
import type { Delivery } from './delivery.js';
import type { PoolMember } from './pool-member.js';

/** A server that lacks a change for so long lags, in milliseconds. */
const PATIENCE = 10_000;

/** Says once that a server lags, and once that it does no longer. */
export class LagLog {
  private readonly logger = new Logger('Zonewright');
  private readonly lagging = new Set<PoolMember>();

  /** @param deliveries what each server lacks */
  look(deliveries: ReadonlyMap<PoolMember, ReadonlySet<Delivery>>): void {
    const before = performance.now() - PATIENCE;
    for (const [member, ofMember] of deliveries) {
      const late = [...ofMember].filter(({ since }) => since < before);
      if (late.length > 0 !== this.lagging.has(member)) this.log(member, late);
    }
  }

  private log(member: PoolMember, [first, ...others]: readonly Delivery[]): void {
    if (first === undefined) {
      this.lagging.delete(member);
      this.logger.log(`the name server ${member.label} has caught up`);
      return;
    }
    this.lagging.add(member);
    const zones = others.length === 0 ? 'a zone' : `${others.length + 1} zones`;
    this.logger.warn(
      `the name server ${member.label} lags with ${zones}, such as ${first.zone.name.toString()}:` +
        ' zonewright zone status says why',
    );
  }
}
