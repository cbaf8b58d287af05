import { Injectable } from '@nestjs/common';
import { administrator } from '../../common/caller.js';
import { ServiceError } from '../../common/service-error.js';
import { DIGEST_TYPES, dsRdata } from '../../dns/dnssec/dnskey.js';
import { DomainName } from '../../dns/name.js';
import { keysAbove } from '../../dns/name-key.js';
import { DS } from '../../dns/rdata/ds.js';
import { NS } from '../../dns/rdata/ns.js';
import { PublicationsService, type ServerSyncStatus } from '../../publishing/pool/publications.service.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import type { ZoneKeyEntity } from '../keys/zone-key.entity.js';
import { dnskeyOf } from '../keys/zone-keys.js';
import { DnssecOptions } from '../dnssec.options.js';
import { dsTexts } from './awaited-ds.js';
import { OwnChanges } from './own-changes.js';
import type { ParentObservation, ServerObservation } from './parent-observation.js';

/** What is shown where there is no pool that could be asked. */
const THIS_SERVICE = 'this service';

/** Puts the DS of zones into parent zones that this service has as well. */
@Injectable()
export class HostedParents {
  constructor(
    private readonly own: OwnChanges,
    private readonly publications: PublicationsService,
    private readonly options: DnssecOptions,
  ) {}

  /**
   * The zone above, where it delegates the zone to the name servers that both have here; otherwise the keys of this service may not
   * be those that count. `problem` says why not.
   */
  async of(zone: ZoneEntity): Promise<{ readonly parent: ZoneEntity; readonly problem: string | null } | null> {
    const parent = await this.own.lowestOf(keysAbove(zone.nameKey));
    if (parent === null) return null;
    const [cut, apex] = [await this.own.setAt(parent, zone.nameKey, NS), await this.own.setAt(zone, zone.nameKey, NS)];
    const names = new Set((apex?.rdatas ?? []).map(nameServerIn));
    if (cut === null) return { parent, problem: `${parent.name} has no NS records for it` };
    const isSame = cut.rdatas.every((rdata) => names.has(nameServerIn(rdata)));
    return {
      parent,
      problem: isSame ? null : `${parent.name} delegates it to name servers that it does not name itself`,
    };
  }

  /** @param keys of which there are to be DS, and no others */
  async bring(parent: ZoneEntity, zone: ZoneEntity, keys: readonly ZoneKeyEntity[]): Promise<ParentObservation> {
    const owner = DomainName.parse(zone.name);
    try {
      if (!(await this.hasThose(parent, zone, keys))) {
        const rdatas = keys.map((key) => dsRdata(owner, dnskeyOf(key), DIGEST_TYPES.SHA256));
        await this.own.bring(parent, [{ owner, type: DS, rdatas }], `DS of ${zone.name}`);
      }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { ...NOTHING_SEEN, zone: parent.name, problem: `${parent.name} does not take its DS: ${error.message}` };
    }
    return this.look(parent, zone);
  }

  /** Takes DS of keys out that nobody has any more. */
  async remove(nameKey: string, name: DomainName, keys: readonly ZoneKeyEntity[]): Promise<void> {
    const parent = await this.own.lowestOf(keysAbove(nameKey));
    const present = parent === null ? null : await this.own.setAt(parent, nameKey, DS);
    if (parent === null || present === null) return;
    const dead = new Set(keys.flatMap((key) => dsTexts(name.toString(), key)));
    const rdatas = present.rdatas.filter((rdata) => !dead.has(DS.toText(rdata)));
    await this.own.bring(parent, [{ owner: name, type: DS, rdatas }], `DS of ${name.toString()}, which is gone`);
  }

  /** Those of other digests may have been set by hand. */
  private async hasThose(parent: ZoneEntity, zone: ZoneEntity, keys: readonly ZoneKeyEntity[]): Promise<boolean> {
    const present = (await this.own.setAt(parent, zone.nameKey, DS))?.rdatas.map((rdata) => DS.toText(rdata)) ?? [];
    const good = keys.map((key) => dsTexts(zone.name, key));
    const isOfThem = present.every((one) => good.some((texts) => texts.includes(one)));
    return isOfThem && good.every((texts) => texts.some((text) => present.includes(text)));
  }

  /** A server that has the parent zone as it is has the DS. */
  private async look(parent: ZoneEntity, zone: ZoneEntity): Promise<ParentObservation> {
    const publication = await this.publications.of(parent.id, administrator('signer', 'signer'));
    const present = await this.own.setAt(publication.zone, zone.nameKey, DS);
    const ds = (present?.rdatas ?? []).map((rdata) => DS.toText(rdata)).sort();
    const ttl = present === null ? null : Math.min(present.ttl, this.options.maxTtl);
    const servers =
      publication.servers.length === 0
        ? [{ name: THIS_SERVICE, ds, ttl, error: null }]
        : publication.servers.map((status) => observationOfServer(status, ds, ttl));
    return { zone: parent.name, isHosted: true, servers, resolver: null, problem: null };
  }
}

const NOTHING_SEEN = { isHosted: true, servers: [], resolver: null };

function observationOfServer(
  { server, state, error }: ServerSyncStatus,
  ds: readonly string[],
  ttl: number | null,
): ServerObservation {
  return state === 'current' ? { name: server, ds, ttl, error: null } : { name: server, ds: null, ttl: null, error };
}

function nameServerIn(rdata: Uint8Array): string {
  return NS.values(rdata).nameServer.key;
}
