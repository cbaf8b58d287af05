import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { mayComeFrom } from '../auth/policy.js';
import type { Caller } from '../common/caller.js';
import { ThrottledLogger } from '../common/throttled-logger.js';
import { ServiceError } from '../common/service-error.js';
import type { Outcome } from '../database/unit-of-work.js';
import { RecordClass, Rcode, rcodeName } from '../dns/message/codes.js';
import { type Message, MessageError } from '../dns/message/message.js';
import type { TsigKey } from '../dns/message/tsig/tsig-key.js';
import type { TsigRecord } from '../dns/message/tsig/tsig-record.js';
import { readUpdate, zoneOfUpdate } from '../dns/message/update.js';
import type { Client } from '../publishing/name-server/response-builder.js';
import { UpdateHandler } from '../publishing/name-server/update-handler.js';
import { RecordChanges } from '../records/changes/record-changes.js';
import { RecordsOptions } from '../records/records.options.js';
import { ServedZone } from '../records/served/served-zone.js';
import { ZoneRepository } from '../zones/zone.repository.js';
import { AnsweredBefore, IdempotentUpdates } from './answers/idempotent-updates.js';
import { PrerequisiteFails } from './served-state.js';
import { setUpdateOf, assertMayUpdate } from './typed-update.js';
import { KnownUpdateKeys, type UpdateKey } from './update-keys/known-update-keys.js';
import { UpdatePlan } from './update-plan.js';
import { sizeOfUpdate, UpdateTurns } from './update-turns.js';

/** The maximum TSIG fudge in seconds, and so the lifetime of stored answers. RFC 8945 §10 recommends 300. */
const LONGEST_FUDGE = 600;

/** Handles UPDATE messages (RFC 2136), each as one change in the name of the key. */
@Injectable()
export class DnsUpdates extends UpdateHandler {
  override readonly areTaken = true;
  private readonly refusals = new RefusalLog();
  private readonly failure = new ThrottledLogger();

  constructor(
    override readonly keys: KnownUpdateKeys,
    private readonly once: IdempotentUpdates,
    private readonly turns: UpdateTurns,
    private readonly changes: RecordChanges,
    private readonly zones: ZoneRepository,
    private readonly served: ServedZone,
    private readonly options: RecordsOptions,
  ) {
    super();
  }

  override start(): Promise<void> {
    return this.keys.start();
  }

  override callerOf(key: TsigKey, { address }: Client): Caller | null {
    if (!isUpdateKey(key)) return null;
    const { id, tenantId, restrictions } = key;
    const caller: Caller = {
      ...{ tenantId, roles: ['member'], allTenants: false, tokenId: id, user: key.name.toString(), address },
      requestId: `update-${randomUUID()}`,
      ...(restrictions === null ? {} : { restrictions }),
    };
    if (mayComeFrom(caller, address)) return caller;
    this.refusals.warn(id, `${describe(caller)} is rejected: the key does not allow this address`);
    return null;
  }

  override isGood({ tokenId }: Caller): Promise<boolean> {
    return this.keys.isValid(tokenId ?? '');
  }

  override async handle(request: Message, caller: Caller): Promise<number> {
    try {
      return await this.judge(request, caller);
    } catch (error) {
      return this.rcodeOf(error, caller, request);
    }
  }

  /** Checks in the order of behaviour 20.2. @throws ServiceError, MessageError */
  private async judge(request: Message, caller: Caller): Promise<number> {
    const tsig = signatureOf(request);
    const { name, class: zoneClass } = zoneOfUpdate(request);
    const zone = zoneClass === RecordClass.IN ? await this.zones.findByKey(name.key, caller) : null;
    if (zone === null) throw new ServiceError('zone_not_found', 'the key has no zone of that name.');
    const update = readUpdate(request);
    assertMayUpdate(caller, update, this.options);
    const plan = new UpdatePlan(setUpdateOf(update, this.options), this.options, this.served);
    const rcodeOf = (outcome: Outcome): number | null => ('error' in outcome ? kept(outcome.error) : Rcode.NOERROR);
    return this.once.answer({ keyId: caller.tokenId ?? '', tsig }, rcodeOf, async (hook) => {
      try {
        await this.turns.run(sizeOfUpdate(update), caller.tenantId, () =>
          this.changes.apply(zone.id, caller, plan, { hook }),
        );
        return Rcode.NOERROR;
      } catch (error) {
        return this.rcodeOf(error, caller, request);
      }
    });
  }

  private rcodeOf(error: unknown, caller: Caller, request: Message): number {
    if (error instanceof AnsweredBefore) return error.rcode;
    if (error instanceof PrerequisiteFails) return error.rcode;
    const rcode = rcodeOfRefusal(error);
    const zone = request.questions[0]?.name.toString() ?? 'no zone';
    const reason = error instanceof Error ? error.message : String(error);
    if (rcode !== Rcode.SERVFAIL)
      this.refusals.warn(
        caller.tokenId ?? '',
        `${describe(caller)} to ${zone} is answered ${rcodeName(rcode)}: ${reason}`,
      );
    else if (!(error instanceof ServiceError))
      this.failure.warn(`an update of ${zone} is answered SERVFAIL: ${error instanceof Error ? error.stack : reason}`);
    else this.failure.warn(`an update of ${zone} is answered SERVFAIL: ${reason}`);
    return rcode;
  }
}

/** Logs rejected messages, limited for each key. */
export class RefusalLog {
  private readonly logger = new Logger('Updates');
  private readonly told = new Map<string, Told>();

  warn(keyId: string, line: string): void {
    const now = performance.now();
    const told = this.toldOf(keyId, now);
    told.lines += 1;
    if (told.lines <= MOST_LINES) this.logger.warn(line);
    if (told.lines === MOST_LINES) this.logger.warn('Muting further rejection messages of this key for 60 s.');
  }

  private toldOf(keyId: string, now: number): Told {
    const known = this.told.get(keyId);
    if (known !== undefined && now - known.since < MINUTE_MS) return known;
    if (this.told.size >= MOST_KEYS) this.told.clear();
    const told = { since: now, lines: 0 };
    this.told.set(keyId, told);
    return told;
  }
}

function isUpdateKey(key: TsigKey): key is UpdateKey {
  return 'tenantId' in key;
}

function signatureOf({ tsig }: Message): TsigRecord {
  if (tsig === null) throw new Error('an unsigned UPDATE reached the handler');
  if (tsig.fudge <= LONGEST_FUDGE) return tsig;
  throw new ServiceError('forbidden', `its fudge is ${tsig.fudge} seconds; the longest here is ${LONGEST_FUDGE}.`);
}

function describe({ user, address }: Caller): string {
  return `an update of key ${user ?? ''} from ${address ?? ''}`;
}

function rcodeOfRefusal(error: unknown): number {
  if (error instanceof MessageError) return error.rcode;
  if (!(error instanceof ServiceError) || error.code === 'unavailable') return Rcode.SERVFAIL;
  return error.code === 'zone_not_found' ? Rcode.NOTAUTH : Rcode.REFUSED;
}

function kept(error: Error): number | null {
  if (error instanceof PrerequisiteFails) return error.rcode;
  const rcode = rcodeOfRefusal(error);
  return rcode === Rcode.SERVFAIL ? null : rcode;
}

const MOST_LINES = 20;
const MINUTE_MS = 60_000;
const MOST_KEYS = 1000;

interface Told {
  since: number;
  lines: number;
}
