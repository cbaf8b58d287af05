import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { allOf } from '../../common/all-of.js';
import { Clock, toUnixSeconds } from '../../common/clock.js';
import { ServiceError } from '../../common/service-error.js';
import type { Transaction } from '../../database/transaction.js';
import type { Outcome } from '../../database/unit-of-work.js';
import { Rcode } from '../../dns/message/rcode.js';
import type { TsigRecord } from '../../dns/message/tsig/tsig-record.js';
import type { ChangeResult } from '../../records/changes/record-operation.js';
import type { ChangeHook } from '../../zones/changes/change-hook.js';
import { UpdateKeyRepository } from '../update-keys/update-key.repository.js';
import { UpdateAnswerRepository } from './update-answer.repository.js';

/** So many answers a process remembers without asking the database. */
const REMEMBERED = 20_000;

/** A message as far as it is told from all others. */
interface Signed {
  readonly keyId: string;
  readonly tsig: TsigRecord;
}

/** How the RCODE of an outcome is found; `null` for one that is no answer of its own, after which the client tries again. */
export type RcodeOf = (outcome: Outcome<ChangeResult>) => number | null;

/** Carries out a message once, however often it arrives: its first answer is committed with the change (behaviour 20.6). */
@Injectable()
export class IdempotentUpdates {
  private readonly underWay = new Map<string, Promise<number>>();
  private readonly answered = new Map<string, { readonly rcode: number; readonly until: number }>();

  constructor(
    private readonly answers: UpdateAnswerRepository,
    private readonly keys: UpdateKeyRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * @param carryOut asks for the change, and lets what it is given go along with it; it throws nothing
   * @returns the RCODE of the first answer
   */
  async answer(
    signed: Signed,
    rcodeOf: RcodeOf,
    carryOut: (hook: ChangeHook<ChangeResult>) => Promise<number>,
  ): Promise<number> {
    const message = hash('sha256', Buffer.concat([Buffer.from(signed.keyId), signed.tsig.mac]));
    const known = this.answered.get(message);
    if (known !== undefined) return known.rcode;
    const under = this.underWay.get(message);
    if (under !== undefined) return under;
    const until = signed.tsig.timeSigned + signed.tsig.fudge;
    const keeping = new Keeping({ message, until, keyId: signed.keyId }, this.answers, this.keys, this.clock, rcodeOf);
    const answering = carryOut(keeping).then((rcode) => {
      // What was written may not have been committed.
      if (keeping.isKept && rcode !== Rcode.SERVFAIL) this.remember(message, rcode, until);
      return rcode;
    });
    this.underWay.set(message, answering);
    try {
      return await answering;
    } finally {
      this.underWay.delete(message);
    }
  }

  /** The oldest go first; the database has them all. */
  private remember(message: string, rcode: number, until: number): void {
    this.answered.set(message, { rcode, until });
    const now = toUnixSeconds(this.clock.now());
    for (const [oldest, answer] of this.answered) {
      if (this.answered.size <= REMEMBERED && answer.until > now) return;
      this.answered.delete(oldest);
    }
  }
}

/** Ends a change whose message was answered before. */
export class AnsweredBefore extends ServiceError {
  constructor(readonly rcode: number) {
    super('request_in_progress', 'This message was answered before.');
  }
}

interface StoredMessage {
  readonly message: string;
  readonly keyId: string;
  /** In seconds since 1970. */
  readonly until: number;
}

class Keeping implements ChangeHook<ChangeResult> {
  readonly isOurs = true;
  /** Whether the answer is in the database, if the change is committed. */
  isKept = false;
  private earlier: number | null = null;
  private isKeyGood = true;

  constructor(
    private readonly kept: StoredMessage,
    private readonly answers: UpdateAnswerRepository,
    private readonly keys: UpdateKeyRepository,
    private readonly clock: Clock,
    private readonly rcodeOf: RcodeOf,
  ) {}

  /** The key too: another process may have revoked it a moment ago. */
  async load(tx: Transaction): Promise<void> {
    const { message, keyId } = this.kept;
    [this.earlier, this.isKeyGood] = await allOf([
      this.answers.find(tx, message),
      this.keys.isValid(tx, keyId, this.clock.now()),
    ]);
  }

  admit(): void {
    if (!this.isKeyGood) throw new ServiceError('access_denied', 'The key has just been revoked or has expired.');
    if (this.earlier !== null) throw new AnsweredBefore(this.earlier);
  }

  async write(tx: Transaction, outcome: Outcome<ChangeResult>): Promise<void> {
    this.isKept = this.earlier !== null;
    if (this.earlier !== null || !this.isKeyGood) return;
    const rcode = this.rcodeOf(outcome);
    if (rcode === null) return;
    const { message, until } = this.kept;
    await this.answers.insert(tx, { message, rcode, until });
    this.isKept = true;
  }
}
