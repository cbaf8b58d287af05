import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Lookup } from '../../database/statements/lookup.js';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import { Clock } from '../../common/clock.js';
import { AuditTrail } from '../../database/audit/audit-trail.js';
import { Reads } from '../../database/reads.js';
import type { ResourceEntity } from '../../database/resource.entity.js';
import { type ResourceKind, ResourceRepository } from '../../database/resource.repository.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { ServiceError } from '../../common/service-error.js';
import { TldEntity, BlacklistEntity } from './zone-name-rules.entity.js';

const ID = 'all';
/** Batched with the other reads of a change. */
const STATE = new Lookup<{ readonly state: string }>('SELECT state FROM zone_name_rules WHERE id = ?', ['text']);
const NOTE_CHANGE = new Statement(
  'INSERT INTO zone_name_rules (id, state) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET state = excluded.state',
);
const TLD_KEYS = new Statement<{ readonly nameKey: string }>('SELECT name_key AS "nameKey" FROM tlds');
const PATTERNS = new Statement<{ readonly pattern: string }>('SELECT pattern FROM blacklists ORDER BY id');

@Injectable()
export class ZoneNameRulesRepository {
  /** A different text after each change; `null` before the first. */
  async stateOf(tx: Transaction): Promise<string | null> {
    const [found] = await STATE.rows(tx, [], [[ID]]);
    return found?.state ?? null;
  }

  async recordChange(tx: Transaction): Promise<void> {
    await NOTE_CHANGE.run(tx, [ID, randomUUID()]);
  }

  async tldKeys(tx: Transaction): Promise<string[]> {
    return (await TLD_KEYS.rows(tx, [])).map(({ nameKey }) => nameKey);
  }

  async patterns(tx: Transaction): Promise<string[]> {
    return (await PATTERNS.rows(tx, [])).map(({ pattern }) => pattern);
  }
}

/** Each change invalidates the cached rules. */
@Injectable()
export abstract class NameRuleRepository<Row extends ResourceEntity> extends ResourceRepository<Row> {
  constructor(
    reads: Reads,
    unitOfWork: UnitOfWork,
    clock: Clock,
    trail: AuditTrail,
    private readonly rules: ZoneNameRulesRepository,
  ) {
    super(reads, unitOfWork, clock, trail);
  }

  protected override recordChange(tx: Transaction): Promise<void> {
    return this.rules.recordChange(tx);
  }
}

@Injectable()
export class TldRepository extends NameRuleRepository<TldEntity> {
  protected override readonly kind: ResourceKind<TldEntity> = {
    entity: TldEntity,
    table: 'tlds',
    columns: 'name, name_key AS "nameKey", description',
    listed: ['name'],
    key: { name: 'tlds_key', table: 'tlds', columns: ['name_key'] },
    duplicate: () => ServiceError.ofField('duplicate_tld', 'name', 'enum', 'A TLD with this name exists already.'),
    notFound: () => new ServiceError('tld_not_found', 'TLD not found; list the TLDs.'),
    audited: {
      kind: 'tld',
      nameOf: ({ name }) => name,
      detailsOf: ({ name, description }) => ({ name, description }),
    },
  };
}

@Injectable()
export class BlacklistRepository extends NameRuleRepository<BlacklistEntity> {
  protected override readonly kind: ResourceKind<BlacklistEntity> = {
    entity: BlacklistEntity,
    table: 'blacklists',
    columns: 'pattern, description',
    listed: ['pattern'],
    key: { name: 'blacklists_key', table: 'blacklists', columns: ['pattern'] },
    duplicate: () =>
      ServiceError.ofField('duplicate_blacklist', 'pattern', 'enum', 'A blacklist with this pattern exists already.'),
    notFound: () => new ServiceError('blacklist_not_found', 'Blacklist not found; list the blacklists.'),
    audited: {
      kind: 'blacklist',
      nameOf: ({ pattern }) => pattern,
      detailsOf: ({ pattern, description }) => ({ pattern, description }),
    },
  };
}
