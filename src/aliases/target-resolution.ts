import { Injectable } from '@nestjs/common';
import { Reads } from '../database/reads.js';
import { LONGEST_CHAIN } from '../dns/cname-chain.js';
import { RecordClass, Rcode } from '../dns/message/codes.js';
import type { ResourceRecord } from '../dns/message/message.js';
import { DomainName } from '../dns/name.js';
import { CNAME } from '../dns/rdata/name-types.js';
import { ZoneRecords } from '../publishing/transfers/zone-records.js';
import { ADDRESS_TYPES, type AddressType, type Answer, joinAnswers } from './alias-answer.js';
import { AliasResolver } from './alias-resolver.js';
import { OwnTargets } from './own-targets.js';

/** The zone of the target belongs to somebody else now, or is deleted. */
export class TargetHasMoved extends Error {}

/** Resolves a target: from its own zone while names lead through zones of the tenant, else by the resolver. */
@Injectable()
export class TargetResolution {
  constructor(
    private readonly own: OwnTargets,
    private readonly resolver: AliasResolver,
    private readonly records: ZoneRecords,
    private readonly reads: Reads,
  ) {}

  /** @param zoneId the zone of the tenant that has the target; empty: none. @throws TargetHasMoved */
  async resolve(target: DomainName, zoneId: string, tenantId: string): Promise<Answer> {
    if (await this.own.isLooping(target))
      return { kind: 'looping', problem: 'it follows itself, or more than 8 names follow each other', ttl: Infinity };
    const found = await Promise.all(
      ADDRESS_TYPES.map((type) =>
        zoneId === '' ? this.resolver.ask(target, type) : this.follow(target, type, zoneId, tenantId),
      ),
    );
    return joinAnswers(found);
  }

  private async follow(target: DomainName, type: AddressType, zoneId: string, tenantId: string): Promise<Answer> {
    let name = target;
    for (let step = 0; step < LONGEST_CHAIN; step += 1) {
      const zone = await this.reads.run((tx) => this.own.zoneFor(tx, name, tenantId));
      if (step === 0 && zone?.id !== zoneId) throw new TargetHasMoved('the zone of the target is another');
      if (zone === null) return this.resolver.ask(name, type);
      // The notice of a change names the first zone only.
      const ttl = zone.id === zoneId ? Infinity : 0;
      const question = { name, type: type.code, class: RecordClass.IN };
      const answer = await this.records.answer({ id: zone.id }, question);
      if (!answer.isAuthoritative) return this.resolver.ask(name, type);
      const addresses = answer.answers.filter((record) => record.type === type.code);
      if (addresses.length > 0)
        return { kind: 'resolved', addresses: addresses.map(({ rdata }) => type.toData(rdata).data), ttl };
      const next = nextOf(answer.answers);
      if (next === null) return missing(answer.rcode, ttl);
      name = next;
    }
    return { kind: 'looping', problem: 'more than 8 names follow each other', ttl: Infinity };
  }
}

/** With a DNAME, its CNAME comes last. */
function nextOf(answers: readonly ResourceRecord[]): DomainName | null {
  const alias = answers.findLast(({ type }) => type === CNAME.code);
  return alias === undefined ? null : CNAME.values(alias.rdata).target;
}

function missing(rcode: number, ttl: number): Answer {
  const problem = rcode === Rcode.NXDOMAIN ? 'it does not exist in its zone of this service' : 'it has no addresses';
  return { kind: 'missing', problem, ttl };
}
