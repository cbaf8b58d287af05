import { Logger } from '@nestjs/common';
import type { PoolMember } from './pool-member.js';
import type { ServerBacklog } from './server-backlog.js';

/** A server that lacks a change for so long lags, in milliseconds. */
const REPORTED_AFTER = 10_000;

/** Says once that a server lags, and once that it does no longer. */
export class LagLog {
  private readonly logger = new Logger('Zonewright');
  private readonly lagging = new Set<PoolMember>();

  look(member: PoolMember, { all }: ServerBacklog): void {
    const before = performance.now() - REPORTED_AFTER;
    const [first] = all;
    const isLagging = first !== undefined && first.since < before;
    if (isLagging === this.lagging.has(member)) return;
    if (!isLagging) {
      this.lagging.delete(member);
      this.logger.warn(`the name server ${member.label} has caught up`);
      return;
    }
    this.lagging.add(member);
    const late = [...all].filter(({ since }) => since < before).length;
    const zones = late === 1 ? 'a zone' : `${late} zones`;
    this.logger.warn(
      `the name server ${member.label} is behind with ${zones}, such as ${first.zone.name.toString()}:` +
        ' zonewright zone status says why',
    );
  }
}
