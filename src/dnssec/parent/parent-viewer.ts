import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { Clock } from '../../common/clock.js';
import { Limiter } from '../../common/waiting/limiter.js';
import { DomainName } from '../../dns/name.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { DnssecRequests } from '../dnssec-requests.js';
import { HostedParents } from './hosted-parents.js';
import { NOT_OBSERVABLE, type ParentObservation } from './parent-observation.js';
import { ParentServers } from './parent-servers.js';
import type { StoredObservation } from './zone-parent.repository.js';

/** A look queries up to 20 name servers, which may each take seconds. */
const LOOKS = { perTenant: 2, inAll: 16 };

/** Observes the parent of a zone on request, signed or not, and changes nothing. */
@Injectable()
export class ParentViewer {
  private readonly running = Limiter.ofTenants('looks at parent zones', LOOKS);

  constructor(
    private readonly requests: DnssecRequests,
    private readonly hosted: HostedParents,
    private readonly servers: ParentServers,
    private readonly clock: Clock,
  ) {}

  /** @throws ServiceError `zone_not_found`, `unavailable` if too many looks run */
  async of(zoneId: string, caller: Caller): Promise<StoredObservation> {
    const { zone } = await this.requests.of(zoneId, caller);
    const release = this.running.take(zone.tenantId);
    try {
      return { observation: await this.observe(zone), seenAt: this.clock.now() };
    } finally {
      release();
    }
  }

  private async observe(zone: Readonly<ZoneEntity>): Promise<ParentObservation> {
    const name = DomainName.parse(zone.name);
    // The root has no parent.
    if (zone.name === '.') return { ...NOT_OBSERVABLE, problem: 'the root has no parent zone' };
    const hosted = await this.hosted.look(zone);
    if (hosted !== null) return hosted;
    return this.servers.isConfigured ? this.servers.observe(name) : NOT_OBSERVABLE;
  }
}
