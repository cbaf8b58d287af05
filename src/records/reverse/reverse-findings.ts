import { Injectable } from '@nestjs/common';
import { administrator } from '../../common/caller.js';
import { Clock } from '../../common/clock.js';
import { groupedBy } from '../../common/grouped.js';
import { isFollowedBack } from '../../common/labels.js';
import type { Transaction } from '../../database/transaction.js';
import { DomainName } from '../../dns/name.js';
import { PTR } from '../../dns/rdata/name-types.js';
import { addressOfReverse } from '../../dns/reverse-name.js';
import type { ReverseStep } from '../../zones/changes/address-follower.js';
import type { FollowedAddress } from '../../zones/changes/followed-addresses.js';
import { ZoneChange } from '../../zones/changes/zone-change.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ZoneRepository } from '../../zones/zone.repository.js';
import type { PlanFinding } from '../plan-findings.js';
import { RecordRepository } from '../record.repository.js';
import { ReverseAddresses } from './reverse-addresses.repository.js';
import { ReverseBuilding } from './reverse-building.js';

const REVERSE_DOMAINS = /(?:^|\.)(?:in-addr|ip6)\.arpa\.$/i;
const IPV4_OCTETS = 4;

/** Reports PTR records that do not agree with the addresses (behaviour 26.8). */
@Injectable()
export class ReverseFindings {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly records: RecordRepository,
    private readonly addresses: ReverseAddresses,
    private readonly building: ReverseBuilding,
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
      const { steps, next } = await this.building.portion(tx, change, after);
      yield* steps.map((step) => missing(step, zone));
      after = next;
    }
  }

  private async *stale(tx: Transaction, zone: ZoneEntity): AsyncGenerator<PlanFinding> {
    for (let after: string | null = ''; after !== null;) {
      const { addresses, next } = await this.addresses.pointers(tx, zone.id, after);
      yield* await this.staleAmong(tx, zone, addresses.flatMap(pointerOf));
      after = next;
    }
  }

  /** Only of names in zones of the tenant whose PTR records follow. */
  private async staleAmong(tx: Transaction, zone: ZoneEntity, pointers: readonly Pointer[]): Promise<PlanFinding[]> {
    const closest = await this.zones.closestOf(
      tx,
      pointers.map(({ target }) => target),
    );
    const followed = pointers.flatMap((pointer) => {
      const of = closest(pointer.target);
      const isOwn = of?.tenantId === zone.tenantId && of.type === 'PRIMARY' && isFollowedBack(of);
      return isOwn ? [{ ...pointer, zoneId: of.id }] : [];
    });
    const present = new Set<string>();
    for (const [zoneId, some] of groupedBy(followed, (pointer) => pointer.zoneId)) {
      const records = await this.records.ofSets(tx, zoneId, some);
      for (const { ownerKey, rdata } of records) present.add(`${ownerKey} ${rdata}`);
    }
    return followed
      .filter(({ ownerKey, address }) => !present.has(`${ownerKey} ${address}`))
      .map(({ name, target }) => stale(name, target.toString()));
  }
}

interface Pointer {
  readonly name: string;
  readonly target: DomainName;
  /** The record that the target should have; `address` is its RDATA in hexadecimal. */
  readonly ownerKey: string;
  readonly type: string;
  readonly address: string;
}

function pointerOf({ name, rdata }: FollowedAddress): Pointer[] {
  const octets = addressOfReverse(DomainName.parse(name));
  if (octets === null) return [];
  const target = DomainName.read(Buffer.from(rdata, 'hex'));
  const type = octets.length === IPV4_OCTETS ? 'A' : 'AAAA';
  return [{ name, target, ownerKey: target.key, type, address: Buffer.from(octets).toString('hex') }];
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
