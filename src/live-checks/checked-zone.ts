import { Injectable } from '@nestjs/common';
import { Reads } from '../database/reads.js';
import type { Transaction } from '../database/transaction.js';
import type { RecordSet } from '../dns/master-file/master-file-writer.js';
import { DomainName } from '../dns/name.js';
import { A, AAAA } from '../dns/rdata/address-types.js';
import { CAA } from '../dns/rdata/caa.js';
import { ALIAS } from '../dns/rdata/index.js';
import { CNAME, NS } from '../dns/rdata/name-types.js';
import { HTTPS, SVCB } from '../dns/rdata/svcb.js';
import { TXT } from '../dns/rdata/text-types.js';
import { RecordRepository } from '../records/record.repository.js';
import { isOmitted, ServedZone } from '../records/served/served-zone.js';
import { servedSerial } from '../zones/serials/serial.js';
import type { ZoneEntity } from '../zones/zone.entity.js';

/** Record sets of a zone that are read. */
const MOST_SETS = 20_000;
const MOST_TARGETS = 500;
const MOST_POLICIES = 20;
const MOST_CAA_SETS = 100;

export interface Target {
  readonly target: DomainName;
  readonly name: string;
  readonly type: string;
}

/** What a check compares with the live DNS. */
export interface CheckedZone {
  readonly apex: DomainName;
  readonly serial: number;
  readonly nameServers: readonly DomainName[];
  /** Addresses of name servers within the zone, by name key. */
  readonly ownAddresses: ReadonlyMap<string, readonly string[]>;
  /** Names outside the zone that its records lead to, each once. */
  readonly targets: readonly Target[];
  readonly policies: readonly { readonly name: string; readonly text: string }[];
  readonly caaSets: readonly { readonly name: DomainName; readonly rdatas: readonly Uint8Array[] }[];
  /** Whether a limit left records out. */
  readonly isPartial: boolean;
}

/** Reads the parts of a stored zone that live checks are about (behaviour 27.3). */
@Injectable()
export class CheckedZones {
  constructor(
    private readonly served: ServedZone,
    private readonly records: RecordRepository,
    private readonly reads: Reads,
  ) {}

  /** @throws ServiceError `zone_not_found` if the zone was deleted meanwhile */
  async read(zoneId: string): Promise<CheckedZone> {
    let read: CheckedZone | null = null;
    // The stream has one result, from one snapshot.
    for await (const zone of this.reads.stream((tx) => this.parts(tx, zoneId))) read = zone;
    if (read === null) throw new Error('the zone was not read');
    return read;
  }

  /** @throws ServiceError `zone_not_found` */
  serialOf(zoneId: string): Promise<number> {
    return this.reads.run(async (tx) => servedSerial(await this.served.zone(tx, zoneId)));
  }

  private async *parts(tx: Transaction, zoneId: string): AsyncGenerator<CheckedZone> {
    const zone = await this.served.zone(tx, zoneId);
    const apex = DomainName.parse(zone.name);
    const parts = new ZoneParts(apex);
    for await (const batch of this.served.recordSets(tx, zone, true)) {
      for (const set of batch) if (!isOmitted(set)) parts.add(set);
      if (parts.sets > MOST_SETS) break;
    }
    const ownAddresses = new Map<string, readonly string[]>();
    for (const name of parts.nameServers)
      if (name.isWithin(apex)) ownAddresses.set(name.key, await this.addressesAt(tx, zone, name));
    yield { apex, serial: servedSerial(zone), ownAddresses, ...parts.result() };
  }

  private async addressesAt(tx: Transaction, zone: ZoneEntity, { key: ownerKey }: DomainName): Promise<string[]> {
    const found: string[] = [];
    for (const type of [A, AAAA]) {
      const rows = await this.records.servedSet(tx, zone.id, ownerKey, type.name);
      for (const set of this.served.setAt(zone, { ownerKey, type: type.name }, rows))
        if (!isOmitted(set)) found.push(...set.rdatas.map((rdata) => type.toText(rdata)));
    }
    return found;
  }
}

class ZoneParts {
  sets = 0;
  nameServers: readonly DomainName[] = [];
  private readonly targets = new Map<string, Target>();
  private readonly policies: { name: string; text: string }[] = [];
  private readonly caaSets: { name: DomainName; rdatas: readonly Uint8Array[] }[] = [];
  private cut: DomainName | null = null;

  constructor(private readonly apex: DomainName) {}

  /** Skips the records below delegations, which are not served. */
  add(set: RecordSet): void {
    this.sets += 1;
    const { owner, type, rdatas } = set;
    const isApex = owner.equals(this.apex);
    if (this.cut !== null && !owner.isWithin(this.cut)) this.cut = null;
    if (this.cut !== null && type !== NS) return;
    if (type === NS && !isApex) this.cut ??= owner;
    if (type === NS && isApex) this.nameServers = rdatas.map((rdata) => NS.values(rdata).nameServer);
    else for (const target of rdatas.flatMap((rdata) => targetsIn(set, rdata))) this.addTarget(target, set);
    if (type === TXT) this.addPolicies(set);
    if (type === CAA && this.caaSets.length <= MOST_CAA_SETS) this.caaSets.push({ name: owner, rdatas });
  }

  result(): Pick<CheckedZone, 'nameServers' | 'targets' | 'policies' | 'caaSets' | 'isPartial'> {
    const { nameServers, sets } = this;
    const [targets, policies, caaSets] = [[...this.targets.values()], this.policies, this.caaSets];
    const isPartial =
      sets > MOST_SETS ||
      targets.length > MOST_TARGETS ||
      policies.length > MOST_POLICIES ||
      caaSets.length > MOST_CAA_SETS;
    return {
      ...{ nameServers, isPartial, targets: targets.slice(0, MOST_TARGETS) },
      ...{ policies: policies.slice(0, MOST_POLICIES), caaSets: caaSets.slice(0, MOST_CAA_SETS) },
    };
  }

  private addTarget(target: DomainName, { owner, type }: RecordSet): void {
    if (target.labelCount === 0 || target.isWithin(this.apex) || this.targets.size > MOST_TARGETS) return;
    // A released name is another problem than a missing server, so both are checked.
    const key = `${target.key} ${isRename(type) ? 'rename' : 'server'}`;
    if (!this.targets.has(key)) this.targets.set(key, { target, name: owner.toString(), type: type.name });
  }

  private addPolicies({ owner, rdatas }: RecordSet): void {
    for (const rdata of rdatas) {
      const text = policyIn(rdata);
      if (text !== null && this.policies.length <= MOST_POLICIES) this.policies.push({ name: owner.toString(), text });
    }
  }
}

export function isRename(type: { readonly name: string }): boolean {
  return type.name === CNAME.name || type.name === ALIAS.name;
}

function targetsIn({ type }: RecordSet, rdata: Uint8Array): readonly DomainName[] {
  if (type === CNAME) return [CNAME.values(rdata).target];
  if (type === ALIAS) return [ALIAS.values(rdata).target];
  if (type === HTTPS || type === SVCB) return [HTTPS.values(rdata).target];
  return type.targets(rdata);
}

/** The SPF policy in a TXT record (RFC 7208 §4.5); `null` for other text. */
export function policyIn(rdata: Uint8Array): string | null {
  const text = Buffer.concat(TXT.values(rdata).text).toString('latin1');
  return /^v=spf1(?: |$)/i.test(text) ? text : null;
}
