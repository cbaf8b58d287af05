import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { assertNotScoped, mayManage } from '../../auth/policy.js';
import {
  type RequestedRestrictions,
  scoped,
  readRestrictions,
  restrictionsColumn,
} from '../../auth/scopes/token-scope.js';
import { isTenantId } from '../../auth/tenant-id.js';
import { type Caller, UNRESTRICTED } from '../../common/caller.js';
import { Clock, DAY, type Instant, formatInstantOrNull } from '../../common/clock.js';
import type { Page } from '../../common/collection-query.js';
import { ServiceError } from '../../common/service-error.js';
import { timeOrderedUuid } from '../../common/uuid.js';
import { type AuditedAct, AuditTrail } from '../../database/audit/audit-trail.js';
import { lockAcrossProcesses } from '../../database/locks.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import {
  LONGEST_SECRET,
  readAlgorithm,
  readKeyName,
  readSecret,
  SHORTEST_SECRET,
  macLength,
  TSIG_ALGORITHMS,
  type TsigAlgorithm,
} from '../../dns/message/tsig/tsig-key.js';
import { KnownUpdateKeys } from './known-update-keys.js';
import type { UpdateKeyEntity } from './update-key.entity.js';
import { isNameTaken, UpdateKeyRepository } from './update-key.repository.js';

export interface UpdateKeyRequest {
  /** A domain name; the final dot is optional. */
  readonly name: string;
  /** Default: hmac-sha256. */
  readonly algorithm?: string | undefined;
  /** Base64; the service generates an absent secret. */
  readonly secret?: string | undefined;
  readonly description: string | null;
  readonly expiresAt: Instant | null;
  readonly restrictions: RequestedRestrictions;
}

/** The maximum for a tenant; ended keys count for a day. */
const MOST_KEYS = 100;
const SHOWN_AFTER_END = DAY;
const LISTED_AT_A_TIME = 500;

export abstract class UpdateKeysOptions {
  /** The names in `[service:mdns] tsig_keys`, in lower case with the final dot. */
  abstract readonly takenNames: readonly string[];
}

/** Creates, lists and revokes the update keys of tenants (behaviour 20.8). */
@Injectable()
export class UpdateKeysService {
  constructor(
    private readonly keys: UpdateKeyRepository,
    private readonly known: KnownUpdateKeys,
    private readonly unitOfWork: UnitOfWork,
    private readonly trail: AuditTrail,
    private readonly options: UpdateKeysOptions,
    private readonly clock: Clock,
  ) {}

  /**
   * @param after the last key of the previous page
   * @throws ServiceError `forbidden` for a restricted token, like all methods
   */
  async page(caller: Caller, after: UpdateKeyEntity | null, limit: number): Promise<Page<UpdateKeyEntity>> {
    assertNotScoped(caller, 'to manage update keys');
    const entries = await this.keys.page(caller.tenantId, after, limit);
    return { entries, isLast: entries.length < limit };
  }

  async list(): Promise<UpdateKeyEntity[]> {
    const keys: UpdateKeyEntity[] = [];
    for (let page: readonly UpdateKeyEntity[]; ;) {
      const last = keys.at(-1);
      page = await this.keys.changedSince(last?.changedAt ?? -1, last?.id ?? '', LISTED_AT_A_TIME);
      keys.push(...page);
      if (page.length < LISTED_AT_A_TIME) return keys;
    }
  }

  /** @throws ServiceError `invalid_object`, `duplicate_update_key`, `over_quota` */
  async create(request: UpdateKeyRequest, caller: Caller): Promise<UpdateKeyEntity> {
    assertNotScoped(caller, 'to manage update keys');
    const now = this.clock.now();
    const key = this.draft(request, caller.tenantId, now);
    try {
      await this.unitOfWork.run(async (tx) => {
        await lockAcrossProcesses(tx, `update keys of ${key.tenantId}`);
        await this.keys.forgetEnded(tx, key.tenantId, now - SHOWN_AFTER_END);
        if ((await this.keys.count(tx, key.tenantId)) >= MOST_KEYS) throw tooMany();
        await this.keys.insert(tx, key);
        await this.trail.record(tx, caller, [{ ...actOn('update_key.create', key), details: detailsOf(key) }]);
      });
    } catch (error) {
      throw isNameTaken(error) ? duplicate() : error;
    }
    await this.known.changed();
    return key;
  }

  /** @throws ServiceError `update_key_not_found`, also for a revoked key */
  async revoke(id: string, caller: Caller): Promise<void> {
    assertNotScoped(caller, 'to manage update keys');
    await this.unitOfWork.run(async (tx) => {
      const key = await this.keys.find(tx, id);
      if (key?.revokedAt !== null || !mayManage(caller, key)) throw noSuchKey();
      await this.keys.revoke(tx, id, this.clock.now());
      await this.trail.record(tx, caller, [actOn('update_key.revoke', key)]);
    });
    await this.known.changed();
  }

  private draft(request: UpdateKeyRequest, tenantId: string, now: Instant): UpdateKeyEntity {
    const { description, expiresAt, restrictions } = request;
    if (!isTenantId(tenantId))
      throw ServiceError.ofField('invalid_object', 'tenant', 'maxLength', 'A tenant has 1 to 255 characters.');
    if (expiresAt !== null && expiresAt <= now)
      throw ServiceError.ofField('invalid_object', 'expires_at', 'minimum', 'The expiry must lie in the future.');
    const algorithm = algorithmOf(request);
    return {
      id: timeOrderedUuid(now),
      name: this.nameOf(request),
      algorithm,
      secret: secretOf(request, algorithm),
      tenantId,
      description,
      restrictions: restrictionsColumn(scoped(UNRESTRICTED, restrictions)),
      createdAt: now,
      expiresAt,
      revokedAt: null,
      changedAt: now,
    };
  }

  /** Configured keys take precedence. */
  private nameOf({ name }: UpdateKeyRequest): string {
    const read = readKeyName(name);
    if (read !== null && !this.options.takenNames.includes(read)) return read;
    if (read !== null) throw duplicate();
    throw ServiceError.ofField(
      'invalid_object',
      'name',
      'format',
      'name: a domain name of letters, digits, "-" and "_", as in "dhcp.example.org".',
    );
  }
}

export function limitsOf({ restrictions }: Pick<UpdateKeyEntity, 'restrictions'>) {
  return restrictions === null ? UNRESTRICTED : readRestrictions(restrictions);
}

function algorithmOf({ algorithm = 'hmac-sha256' }: UpdateKeyRequest): TsigAlgorithm {
  const read = readAlgorithm(algorithm);
  if (read !== null) return read;
  const message = `algorithm: one of ${TSIG_ALGORITHMS.join(', ')}.`;
  throw ServiceError.ofField('invalid_object', 'algorithm', 'enum', message);
}

/** A generated secret is as long as the hash (RFC 2104 §3). */
function secretOf({ secret }: UpdateKeyRequest, algorithm: TsigAlgorithm): string {
  if (secret === undefined) return randomBytes(macLength(algorithm)).toString('base64');
  const octets = readSecret(secret);
  if (octets !== null && octets.length <= LONGEST_SECRET) return secret;
  const message = `secret: ${SHORTEST_SECRET} to ${LONGEST_SECRET} octets in base64.`;
  throw ServiceError.ofField('invalid_object', 'secret', 'format', message);
}

function actOn(action: AuditedAct['action'], { id, tenantId, name }: UpdateKeyEntity): AuditedAct {
  return { action, ownerId: tenantId, subject: { id, name } };
}

function detailsOf(key: UpdateKeyEntity): Readonly<Record<string, unknown>> {
  const { algorithm, expiresAt } = key;
  const limits = key.restrictions === null ? {} : limitsOf(key);
  return { algorithm, expires_at: formatInstantOrNull(expiresAt), ...limits };
}

function duplicate(): ServiceError {
  return ServiceError.ofField('duplicate_update_key', 'name', 'enum', 'A key of this name exists already.');
}

function tooMany(): ServiceError {
  return new ServiceError(
    'over_quota',
    `The limit of ${MOST_KEYS} update keys of a tenant is reached; expired and revoked ones count for a day.`,
  );
}

function noSuchKey(): ServiceError {
  return new ServiceError('update_key_not_found', 'There is no such update key; list yours with GET /v1/update-keys.');
}
