import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { Clock, toUnixSeconds } from '../common/clock.js';
import { ServiceError } from '../common/service-error.js';
import { timeOrderedUuid } from '../common/uuid.js';
import { type Transaction, UnitOfWork } from '../database/unit-of-work.js';
import { DomainName, NameError } from '../dns/name.js';
import { parseDomainName } from '../dns/owner-name.js';
import { DomainChange } from './domain-change.js';
import { DomainChanges } from './domain-changes.js';
import { DomainContents } from './domain-contents.js';
import { DomainLimits } from './domain-limits.js';
import { DomainPlacement } from './domain-placement.js';
import type { DomainEntity } from './domain.entity.js';
import { DomainRepository } from './domain.repository.js';
import { DOMAINS_OPTIONS, type DomainsOptions } from './domains.options.js';
import type { CreateDomainDto } from './dto/create-domain.dto.js';
import { toDomainDto } from './dto/domain.dto.js';
import type { UpdateDomainDto } from './dto/update-domain.dto.js';
import { JournalRepository } from './journal.repository.js';
import { assertTtlAllowed } from './minimum-ttl.js';
import { serialAt } from './serial.js';

@Injectable()
export class DomainsService {
  constructor(
    private readonly domains: DomainRepository,
    private readonly journal: JournalRepository,
    private readonly changes: DomainChanges,
    private readonly unitOfWork: UnitOfWork,
    private readonly placement: DomainPlacement,
    private readonly limits: DomainLimits,
    private readonly contents: DomainContents,
    private readonly clock: Clock,
    @Inject(DOMAINS_OPTIONS) private readonly options: DomainsOptions,
  ) {}

  get nameServers(): readonly string[] {
    return this.options.nameServers;
  }

  get(id: string, caller: Caller): Promise<DomainEntity> {
    return this.domains.find(id, caller);
  }

  /** The domain of that name, `null` when there is none that the caller sees. */
  findByName(name: string, caller: Caller): Promise<DomainEntity | null> {
    return this.domains.findByKey(readDomainName(name).key, caller);
  }

  page(caller: Caller, marker: string, limit: number): Promise<DomainEntity[]> {
    return this.domains.page(caller, marker, limit);
  }

  /** @param fill puts something into the new domain, in the same transaction */
  async create(body: CreateDomainDto, caller: Caller, fill?: FillDomain): Promise<DomainEntity> {
    const name = readDomainName(body.name);
    assertTtlAllowed(body.ttl, this.options.minTtl, caller);
    const scope = { isLong: fill !== undefined };
    return this.unitOfWork.run(async (tx) => {
      await this.placement.assertAllowed(tx, name, caller);
      const count = await this.domains.countForTenant(tx, caller.tenantId, 1);
      await this.limits.assertRoomForDomain(tx, caller.tenantId, count);
      const change = await this.insert(tx, body, name, caller);
      await fill?.(change);
      const closed = change.close();
      if (closed !== null) await this.domains.closeChange(tx, closed);
      return { ...change.domain, serial: change.serial };
    }, scope);
  }

  update(id: string, body: UpdateDomainDto, caller: Caller): Promise<DomainEntity> {
    assertTtlAllowed(body.ttl, this.options.minTtl, caller);
    return this.changes.in(id, caller, async (change) => {
      const before = change.domain;
      assertSameName(before, body.name);
      const { email = before.email, ttl = before.ttl, description = before.description } = body;
      const isChanged = email !== before.email || ttl !== before.ttl || description !== before.description;
      const serial = isChanged ? change.serial : before.serial;
      const after: DomainEntity = { ...before, email, ttl, description, serial, updatedAt: change.nextInstant() };
      await this.domains.update(change.tx, after);
      if (isChanged) await this.journal.append(change, 'domain.update', toDomainDto(before), toDomainDto(after));
      return after;
    });
  }

  /** Removes the domain with its records; its journal stays. */
  delete(id: string, caller: Caller): Promise<void> {
    const remove = async (change: DomainChange): Promise<void> => {
      const { domain, tx } = change;
      if (await this.domains.hasDomainBelow(tx, domain.nameKey))
        throw new ServiceError('domain_has_sub_domain', `Delete the domains inside ${domain.name} first.`);
      await this.contents.deleteAll(change);
      await this.journal.append(change, 'domain.delete', toDomainDto(domain), null);
      await this.domains.delete(tx, domain.id);
      await this.domains.countForTenant(tx, domain.tenantId, -1);
    };
    return this.changes.in(id, caller, remove, { isLong: true });
  }

  private async insert(
    tx: Transaction,
    body: CreateDomainDto,
    name: DomainName,
    caller: Caller,
  ): Promise<DomainChange> {
    const now = this.clock.now();
    const fresh: DomainEntity = {
      id: timeOrderedUuid(now),
      tenantId: caller.tenantId,
      name: body.name,
      nameKey: name.key,
      email: body.email,
      ttl: body.ttl ?? this.options.defaultTtl,
      description: body.description ?? null,
      // One behind the time, which making the domain then gives it.
      serial: serialAt(toUnixSeconds(now) - 1),
      version: 0,
      recordCount: 0,
      recordsetCount: 0,
      changedAt: now,
      createdAt: now,
      updatedAt: null,
    };
    const change = new DomainChange(tx, fresh, caller, now);
    await this.domains.insert(tx, fresh);
    await this.journal.append(change, 'domain.create', null, toDomainDto({ ...fresh, serial: change.serial }));
    return change;
  }
}

/** Puts something into a domain while it is made. */
type FillDomain = (change: DomainChange) => Promise<void>;

/** @throws ServiceError `invalid_object` */
function readDomainName(text: string): DomainName {
  try {
    return parseDomainName(text);
  } catch (error) {
    if (!(error instanceof NameError)) throw error;
    throw ServiceError.ofField('invalid_object', 'name', 'format', `name: ${error.message}.`);
  }
}

/** The name sent back as it was fetched is no renaming, whatever its case. */
function assertSameName(domain: DomainEntity, name: string | undefined): void {
  if (name === undefined || name.toLowerCase() === domain.name.toLowerCase()) return;
  throw ServiceError.ofField('bad_request', 'name', 'enum', `A domain cannot be renamed; create ${name} instead.`);
}
