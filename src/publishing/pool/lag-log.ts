import { Logger } from '@nestjs/common';
import type { PoolMember } from './pool-member.js';
import type { ServerBacklog } from './server-backlog.js';

/** A server that lacks a change for so long lags, in milliseconds. */
const REPORTED_AFTER = 10_000;

/** Says once that a server lags, and once that it does no longer. */
export class LagLog {
  private readonly logger = new Logger('Zonewright');
  private readonly lagging = new Set<PoolMember>();

  look(member: PoolMember, backlog: ServerBacklog): void {
    const before = performance.now() - REPORTED_AFTER;
    const isLagging = backlog.since !== null && backlog.since < before;
    if (isLagging === this.lagging.has(member)) return;
    if (!isLagging) {
      this.lagging.delete(member);
      this.logger.warn(`the name server ${member.label} has caught up`);
      return;
    }
    this.lagging.add(member);
    this.logger.warn(
      `the name server ${member.label} is behind with ${zonesOf(backlog, before)}: zonewright zone status says why`,
    );
  }
}

/** @param before those that were missing then */
function zonesOf({ all, size, isPartial }: ServerBacklog, before: number): string {
  const late = [...all].filter(({ since }) => since < before);
  const [first] = late;
  const count = isPartial ? size : late.length;
  const zones = count === 1 ? 'a zone' : `${count} zones`;
  return first === undefined ? zones : `${zones}, such as ${first.zone.name}`;
}
