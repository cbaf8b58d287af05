import { Injectable } from '@nestjs/common';
import { allOf } from '../../common/all-of.js';
import { groupedBy } from '../../common/grouped.js';
import type { Transaction } from '../../database/transaction.js';
import { DomainName } from '../../dns/name.js';
import { keyAbove, keysOnPath } from '../../dns/name-key.js';
import { CNAME, NS } from '../../dns/rdata/name-types.js';
import { isRangeOf, reverseName } from '../../dns/reverse-name.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ZoneRepository } from '../../zones/zone.repository.js';
import { RecordRepository } from '../record.repository.js';

const ROOT = '';
const IPV4_DIGITS = 8;

/** Where the PTR records of an address stand. */
export interface ReversePlace {
  readonly zone: ZoneEntity;
  readonly owner: DomainName;
}

type Types = (ownerKey: string) => readonly string[];

/** Finds the reverse domains of addresses (behaviour 26.2 and 26.3). */
@Injectable()
export class ReversePlaces {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly records: RecordRepository,
  ) {}

  /**
   * Only places in primary zones of the tenant.
   * @param addresses as RDATA in hexadecimal, each once
   */
  async of(tx: Transaction, tenantId: string, addresses: readonly string[]): Promise<Map<string, ReversePlace>> {
    const names = new Map(addresses.map((rdata) => [rdata, reverseName(Buffer.from(rdata, 'hex'))]));
    const found = await this.zones.closestOf(tx, [...names.values()]);
    const typesIn = await this.typesIn(tx, [...names.values()], found);
    const places = await allOf(
      [...names].map(async ([rdata, name]) => {
        const zone = found(name);
        if (zone === null) return [rdata, await this.inPart(tx, tenantId, rdata, name)] as const;
        return [rdata, await this.in(tx, zone, name, typesIn(zone))] as const;
      }),
    );
    return new Map(
      places.flatMap(([rdata, place]) =>
        place !== null && place.zone.type === 'PRIMARY' && place.zone.tenantId === tenantId ? [[rdata, place]] : [],
      ),
    );
  }

  /** The types at the names and above them in their zones, by owner key. */
  private async typesIn(
    tx: Transaction,
    names: readonly DomainName[],
    found: (name: DomainName) => ZoneEntity | null,
  ): Promise<(zone: ZoneEntity) => Types> {
    const byZone = groupedBy(names, (name) => found(name)?.id ?? '');
    const read = await allOf(
      [...byZone].map(async ([zoneId, some]): Promise<[string, Types]> => {
        const apex = (some[0] && found(some[0])?.nameKey) ?? ROOT;
        const keys = new Set(some.flatMap(({ key }) => keysOnPath(apex, key).slice(1)));
        const sets = zoneId === '' ? [] : await this.records.setsAt(tx, zoneId, [...keys]);
        const types = groupedBy(sets, ({ ownerKey }) => ownerKey);
        return [zoneId, (key) => types.get(key)?.map(({ type }) => type) ?? []];
      }),
    );
    const all = new Map(read);
    return ({ id }) => all.get(id) ?? (() => []);
  }

  /** The holder of a network gives a part of it away by CNAME records (RFC 2317 §4), or by NS records. */
  private async in(tx: Transaction, zone: ZoneEntity, name: DomainName, types: Types): Promise<ReversePlace | null> {
    if (
      keysOnPath(zone.nameKey, name.key)
        .slice(1)
        .some((key) => types(key).includes(NS.name))
    )
      return null;
    if (!types(name.key).includes(CNAME.name)) return { zone, owner: name };
    const [alias] = await this.records.servedSet(tx, zone.id, name.key, CNAME.name);
    if (alias === undefined) return null;
    const owner = DomainName.read(Buffer.from(alias.rdata, 'hex'));
    const target = (await this.zones.closestOf(tx, [owner]))(owner);
    return target && { zone: target, owner };
  }

  /** The CNAME records may be in a zone of another service. */
  private async inPart(
    tx: Transaction,
    tenantId: string,
    rdata: string,
    name: DomainName,
  ): Promise<ReversePlace | null> {
    if (rdata.length !== IPV4_DIGITS) return null;
    const octet = Number.parseInt(rdata.slice(-2), 16);
    const network = keyAbove(name.key);
    for (const zone of await this.zones.below(tx, network, tenantId)) {
      const label = zone.nameKey.slice(network.length + 1);
      if (isRangeOf(label, octet)) return { zone, owner: DomainName.parse(`${octet}`, DomainName.parse(zone.name)) };
    }
    return null;
  }
}
