import { Injectable } from '@nestjs/common';
import { administrator } from '../../common/caller.js';
import { ServiceError } from '../../common/service-error.js';
import { DIGEST_TYPES, dsRdata } from '../../dns/dnssec/dnskey.js';
import { DomainName } from '../../dns/name.js';
import { keysAbove } from '../../dns/name-key.js';
import { DS } from '../../dns/rdata/dnssec.js';
import { NS } from '../../dns/rdata/name-types.js';
import { PublicationsService } from '../../publishing/pool/publications.service.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import type { ZoneKeyEntity } from '../keys/zone-key.entity.js';
import { dnskeyOf } from '../keys/zone-keys.js';
import { DnssecOptions } from '../dnssec.options.js';
import { dsTexts, type ParentObservation } from './parent-observation.js';
import { HostedZones } from './hosted-zones.js';

const THIS_SERVICE = 'this service';

/** Writes DS records into parent zones that this service hosts. */
@Injectable()
export class HostedParents {
  constructor(
    private readonly hosted: HostedZones,
    private readonly publications: PublicationsService,
    private readonly options: DnssecOptions,
  ) {}

  /** `problem`: the parent does not delegate to the name servers of the zone. Another signer may hold the keys. */
  async find(zone: ZoneEntity): Promise<{ readonly parent: ZoneEntity; readonly problem: string | null } | null> {
    const parent = await this.hosted.lowestOf(keysAbove(zone.nameKey));
    if (parent === null) return null;
    const [cut, apex] = [
      await this.hosted.setAt(parent, zone.nameKey, NS),
      await this.hosted.setAt(zone, zone.nameKey, NS),
    ];
    const names = new Set((apex?.rdatas ?? []).map(nameServerIn));
    if (cut === null) return { parent, problem: `${parent.name} has no NS records for ${zone.name}` };
    const isSame = cut.rdatas.every((rdata) => names.has(nameServerIn(rdata)));
    return {
      parent,
      problem: isSame ? null : `${parent.name} delegates ${zone.name} to name servers that ${zone.name} does not have`,
    };
  }

  /** The delegation in a hosted parent zone, without writing a DS. `null`: the parent zone is not hosted. */
  async look(zone: Readonly<ZoneEntity>): Promise<ParentObservation | null> {
    const parent = await this.hosted.lowestOf(keysAbove(zone.nameKey));
    return parent === null ? null : this.observe(parent, zone);
  }

  /** Writes the DS of these keys and deletes all others, then observes the name servers. */
  async publish(parent: ZoneEntity, zone: ZoneEntity, keys: readonly ZoneKeyEntity[]): Promise<ParentObservation> {
    const owner = DomainName.parse(zone.name);
    try {
      if (!(await this.hasOnly(parent, zone, keys))) {
        const rdatas = keys.map((key) => dsRdata(owner, dnskeyOf(key), DIGEST_TYPES.SHA256));
        await this.hosted.replace(parent, [{ owner, type: DS, rdatas }], `DS of ${zone.name}`);
      }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { ...NO_OBSERVATION, zone: parent.name, problem: `${parent.name} rejects the DS: ${error.message}` };
    }
    return this.observe(parent, zone);
  }

  /** Deletes the DS of keys that no zone has any more. */
  async remove(nameKey: string, name: DomainName, keys: readonly ZoneKeyEntity[]): Promise<void> {
    const parent = await this.hosted.lowestOf(keysAbove(nameKey));
    const present = parent === null ? null : await this.hosted.setAt(parent, nameKey, DS);
    if (parent === null || present === null) return;
    const dead = new Set(keys.flatMap((key) => dsTexts(name.toString(), key)));
    const rdatas = present.rdatas.filter((rdata) => !dead.has(DS.toText(rdata)));
    await this.hosted.replace(parent, [{ owner: name, type: DS, rdatas }], `DS of ${name.toString()}, a deleted zone`);
  }

  /** Accepts any digest: an operator may have added one. */
  private async hasOnly(parent: ZoneEntity, zone: ZoneEntity, keys: readonly ZoneKeyEntity[]): Promise<boolean> {
    const present = (await this.hosted.setAt(parent, zone.nameKey, DS))?.rdatas.map((rdata) => DS.toText(rdata)) ?? [];
    const good = keys.map((key) => dsTexts(zone.name, key));
    const isOfThem = present.every((one) => good.some((texts) => texts.includes(one)));
    return isOfThem && good.every((texts) => texts.some((text) => present.includes(text)));
  }

  /** A name server that is up to date has the stored DS. */
  private async observe(parent: ZoneEntity, zone: Readonly<ZoneEntity>): Promise<ParentObservation> {
    const publication = await this.publications.of(parent.id, administrator('signer', 'signer'));
    const present = await this.hosted.setAt(publication.zone, zone.nameKey, DS);
    const ds = (present?.rdatas ?? []).map((rdata) => DS.toText(rdata)).sort();
    const ttl = present === null ? null : Math.min(present.ttl, this.options.maxTtl);
    const cut = await this.hosted.setAt(publication.zone, zone.nameKey, NS);
    const ns = (cut?.rdatas ?? []).map((rdata) => NS.toText(rdata).toLowerCase()).sort();
    const servers =
      publication.servers.length === 0
        ? [{ name: THIS_SERVICE, ds, ttl, ns, error: null }]
        : publication.servers.map((status) =>
            status.state === 'current'
              ? { name: status.server, ds, ttl, ns, error: null }
              : { name: status.server, ds: null, ttl: null, error: status.error },
          );
    return { zone: parent.name, isHosted: true, servers, resolver: null, problem: null };
  }
}

const NO_OBSERVATION = { isHosted: true, servers: [], resolver: null };

function nameServerIn(rdata: Uint8Array): string {
  return NS.values(rdata).nameServer.key;
}
