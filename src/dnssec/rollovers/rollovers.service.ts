import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { Clock } from '../../common/clock.js';
import { signingAlgorithm } from '../../dns/dnssec/algorithms.js';
import { keyTag } from '../../dns/dnssec/dnskey.js';
import { DnssecRequests } from '../dnssec-requests.js';
import { SigningContext } from '../signing-context.js';
import { NO_NEW_KEYS, type NewKeys, ZoneKeys } from '../keys/zone-keys.js';
import { BEFORE_DS, withOtherKeys } from '../state/zone-signing.entity.js';
import type { ZoneDnssec } from '../zone-dnssec.js';
import { KeyRollover, type RolloverRequest } from './key-rollover.js';

@Injectable()
export class RolloversService {
  constructor(
    private readonly requests: DnssecRequests,
    private readonly rollovers: KeyRollover,
    private readonly keys: ZoneKeys,
    private readonly context: SigningContext,
    private readonly clock: Clock,
  ) {}

  /** @throws ServiceError `zone_not_found`, `forbidden`, `signing_conflict`, `unavailable` */
  async begin(zoneId: string, request: RolloverRequest, caller: Caller): Promise<ZoneDnssec> {
    const found = await this.requests.of(zoneId, caller);
    return this.keys.withNew(found.zone, newKeysOf(found, request), (spare) =>
      this.requests.change(zoneId, caller, async (locked) => {
        const { tx, zone, row } = locked;
        const now = this.clock.now();
        const { id } = await this.rollovers.begin(locked, request, now, spare);
        await this.context.signing.update(tx, withOtherKeys(row, now));
        await this.requests.note(tx, caller, 'dnssec.roll', zone, { ...detailsOf(request), rollover: id });
      }),
    );
  }

  /** @throws ServiceError `zone_not_found`, `forbidden`, `signing_conflict` once the new key is needed */
  async cancel(zoneId: string, rolloverId: string, caller: Caller): Promise<ZoneDnssec> {
    return this.requests.change(zoneId, caller, async (locked) => {
      const { tx, zone, row } = locked;
      const now = this.clock.now();
      const isAnew = await this.rollovers.cancel(locked, rolloverId, now);
      await this.context.signing.update(tx, { ...withOtherKeys(row, now), ...(isAnew && { signedVersion: null }) });
      await this.requests.note(tx, caller, 'dnssec.cancel_roll', zone, { rollover: rolloverId });
    });
  }
}

/** No keys where the transaction will reject the request. */
function newKeysOf({ signing, keys, rollover }: ZoneDnssec, { kind, algorithm, dnskeys }: RolloverRequest): NewKeys {
  if (signing === null || BEFORE_DS.has(signing.state) || rollover !== null) return NO_NEW_KEYS;
  if (kind === 'join' || kind === 'leave' || dnskeys !== undefined) return NO_NEW_KEYS;
  return { algorithm: algorithm ?? signing.algorithm, count: kind === 'algorithm' ? keys.length : 1 };
}

function detailsOf({
  kind,
  algorithm,
  isEmergency,
  signer,
  dnskeys,
}: RolloverRequest): Readonly<Record<string, unknown>> {
  return {
    key: kind,
    ...(algorithm !== undefined && { algorithm: signingAlgorithm(algorithm).mnemonic }),
    ...(isEmergency && { emergency: true }),
    ...(signer !== undefined && { signer }),
    ...(dnskeys !== undefined && { tags: dnskeys.map(keyTag) }),
  };
}
