import { Injectable } from '@nestjs/common';
import { administrator } from '../../common/caller.js';
import { Clock } from '../../common/clock.js';
import { isFollowedBack } from '../../common/labels.js';
import type { Transaction } from '../../database/transaction.js';
import { DomainName } from '../../dns/name.js';
import { keysOnPath } from '../../dns/name-key.js';
import { PTR } from '../../dns/rdata/name-types.js';
import { addressOfReverse } from '../../dns/reverse-name.js';
import { AddressFollower, type ReverseStep } from '../../zones/changes/address-follower.js';
import { ZoneChange } from '../../zones/changes/zone-change.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ZoneRepository } from '../../zones/zone.repository.js';
import type { PlanFinding } from '../plan-findings.js';
import { RecordRepository } from '../record.repository.js';
import { ReverseAddresses } from './reverse-addresses.repository.js';

const REVERSE_DOMAINS = /(?:^|\.)(?:in-addr|ip6)\.arpa\.$/i;
const IPV4_OCTETS = 4;

/** Reports PTR records that do not agree with the addresses (behaviour 26.8). */
@Injectable()
export class ReverseFindings {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly records: RecordRepository,
    private readonly addresses: ReverseAddresses,
    private readonly follower: AddressFollower,
    private readonly clock: Clock,
  ) {}

  async *of(tx: Transaction, zone: ZoneEntity): AsyncGenerator<PlanFinding> {
    if (zone.type !== 'PRIMARY') return;
    yield* this.missing(tx, zone);
    if (REVERSE_DOMAINS.test(zone.name)) yield* this.stale(tx, zone);
  }

  private async *missing(tx: Transaction, zone: ZoneEntity): AsyncGenerator<PlanFinding> {
    for (let after: string | null = ''; after !== null;) {
      const change = new ZoneChange(zone, administrator('check', 'check', zone.tenantId), this.clock.now());
      const { addresses, next } = await this.addresses.page(tx, zone, after);
      for (const address of addresses) change.addresses.add(address);
      if (!change.addresses.isEmpty) for (const step of await this.follower.plan(tx, change)) yield missing(step, zone);
      after = next;
    }
  }

  private async *stale(tx: Transaction, zone: ZoneEntity): AsyncGenerator<PlanFinding> {
    for (let after: string | null = ''; after !== null;) {
      const { addresses, next } = await this.addresses.pointers(tx, zone.id, after);
      for (const { name, rdata } of addresses) {
        const target = DomainName.read(Buffer.from(rdata, 'hex'));
        if (await this.isStale(tx, zone, DomainName.parse(name), target)) yield stale(name, target.toString());
      }
      after = next;
    }
  }

  /** Only of names in zones of the tenant whose PTR records follow. */
  private async isStale(tx: Transaction, zone: ZoneEntity, owner: DomainName, target: DomainName): Promise<boolean> {
    const address = addressOfReverse(owner);
    if (address === null) return false;
    const of = await this.zones.lowestAmong(tx, keysOnPath('', target.key));
    if (of?.tenantId !== zone.tenantId || of.type !== 'PRIMARY' || !isFollowedBack(of)) return false;
    const type = address.length === IPV4_OCTETS ? 'A' : 'AAAA';
    const set = await this.records.servedSet(tx, of.id, target.key, type);
    const wanted = Buffer.from(address).toString('hex');
    return !set.some(({ rdata }) => rdata === wanted);
  }
}

function missing({ name, after, problem }: ReverseStep, { name: zone }: ZoneEntity): PlanFinding {
  const mend = `zonewright zone reverse ${zone}`;
  const message =
    problem === null
      ? `It has no PTR record for ${after ?? ''}; ${mend} creates it.`
      : `Its PTR record does not follow. ${problem}`;
  return { severity: 'warning', name, type: PTR.name, kind: 'reverse_differs', text: after ?? '', message };
}

function stale(name: string, target: string): PlanFinding {
  const message = `${target} does not have this address; delete the PTR record, or add the address.`;
  return { severity: 'warning', name, type: PTR.name, kind: 'reverse_differs', text: target, message };
}
