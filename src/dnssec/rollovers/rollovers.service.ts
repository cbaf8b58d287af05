import type { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { Clock } from '../../common/clock.js';
import { signingAlgorithm } from '../../dns/dnssec/algorithms.js';
import { DnssecRequests } from '../dnssec-requests.js';
import { ZoneKeys } from '../keys/zone-keys.js';
import { BEFORE_DS, withOtherKeys } from '../state/zone-signing.entity.js';
import { ZoneSigningRepository } from '../state/zone-signing.repository.js';
import type { ZoneDnssec } from '../zone-dnssec.js';
import { KeyRollover, type RolloverRequest } from './key-rollover.js';

/** Rollovers on behalf of a caller. */
@Injectable()
export class RolloversService {
  constructor(
    private readonly requests: DnssecRequests,
    private readonly rollovers: KeyRollover,
    private readonly keys: ZoneKeys,
    private readonly signing: ZoneSigningRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Has new keys take the place of others.
   * @throws ServiceError `zone_not_found`, `forbidden`, `signing_conflict`, `unavailable`
   */
  async begin(zoneId: string, wish: RolloverRequest, caller: Caller): Promise<ZoneDnssec> {
    const spare = await this.spareFor(await this.requests.of(zoneId, caller), wish);
    return this.requests.change(zoneId, caller, async (tx, zone, row) => {
      const now = this.clock.now();
      const { id } = await this.rollovers.begin(tx, zone, row, wish, now, spare);
      await this.signing.update(tx, withOtherKeys(row, now));
      await this.requests.note(tx, caller, 'dnssec.roll', zone, { ...detailsOf(wish), rollover: id });
    });
  }

  /** @throws ServiceError `zone_not_found`, `forbidden`, `signing_conflict` where it has come too far */
  async cancel(zoneId: string, rolloverId: string, caller: Caller): Promise<ZoneDnssec> {
    return this.requests.change(zoneId, caller, async (tx, zone, row) => {
      const now = this.clock.now();
      await this.rollovers.cancel(tx, zone, row, rolloverId, now);
      await this.signing.update(tx, withOtherKeys(row, now));
      await this.requests.note(tx, caller, 'dnssec.cancel_roll', zone, { rollover: rolloverId });
    });
  }

  /** Private keys are made before there is a transaction, and for nobody whom it is going to refuse. */
  private async spareFor(
    { zone, signing, keys, rollover }: ZoneDnssec,
    { kind, algorithm }: RolloverRequest,
  ): Promise<KeyObject[]> {
    if (signing === null || BEFORE_DS.has(signing.state) || rollover !== null) return [];
    const count = kind === 'algorithm' ? keys.length : 1;
    return this.keys.spare(zone.tenantId, algorithm ?? signing.algorithm, count);
  }
}

function detailsOf({ kind, algorithm, isEmergency }: RolloverRequest): Readonly<Record<string, unknown>> {
  return {
    key: kind,
    ...(algorithm !== undefined && { algorithm: signingAlgorithm(algorithm).mnemonic }),
    ...(isEmergency && { emergency: true }),
  };
}
