import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { allOf } from '../../common/all-of.js';
import { Clock, toUnixSeconds } from '../../common/clock.js';
import { ServiceError } from '../../common/service-error.js';
import type { Transaction } from '../../database/transaction.js';
import type { Outcome } from '../../database/unit-of-work.js';
import { Rcode } from '../../dns/message/codes.js';
import type { TsigRecord } from '../../dns/message/tsig/tsig-record.js';
import type { ChangeResult } from '../../records/changes/change-request.js';
import type { ChangeHook } from '../../zones/changes/change-hook.js';
import { UpdateKeyRepository } from '../update-keys/update-key.repository.js';
import { UpdateAnswerRepository } from './update-answer.repository.js';

/** Answers cached in memory. */
const REMEMBERED = 20_000;

/** Returns the RCODE to store; `null` for a failure that the client should retry. */
export type RcodeOf = (outcome: Outcome<ChangeResult>) => number | null;

/** Applies a message once, however often it arrives, and stores its answer with the change (behaviour 20.6). */
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
   * @param apply applies the change with the hook, and never throws
   * @returns the RCODE of the first answer
   */
  async answer(
    signed: { readonly keyId: string; readonly tsig: TsigRecord },
    rcodeOf: RcodeOf,
    apply: (hook: ChangeHook<ChangeResult>) => Promise<number>,
  ): Promise<number> {
    const message = hash('sha256', Buffer.concat([Buffer.from(signed.keyId), signed.tsig.mac]));
    const known = this.answered.get(message);
    if (known !== undefined) return known.rcode;
    const under = this.underWay.get(message);
    if (under !== undefined) return under;
    const until = signed.tsig.timeSigned + signed.tsig.fudge;
    const keeping = new Keeping({ message, until, keyId: signed.keyId }, this.answers, this.keys, this.clock, rcodeOf);
    const answering = apply(keeping).then((rcode) => {
      // The commit may have failed.
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

  /** Evicts the oldest answers; the database has them all. */
  private remember(message: string, rcode: number, until: number): void {
    this.answered.set(message, { rcode, until });
    const now = toUnixSeconds(this.clock.now());
    for (const [oldest, answer] of this.answered) {
      if (this.answered.size <= REMEMBERED && answer.until > now) return;
      this.answered.delete(oldest);
    }
  }
}

/** Aborts the change of a repeated message. */
export class AnsweredBefore extends ServiceError {
  constructor(readonly rcode: number) {
    super('request_in_progress', 'This message was answered before.');
  }
}

interface StoredMessage {
  readonly message: string;
  readonly keyId: string;
  /** Seconds since 1970. */
  readonly until: number;
}

class Keeping implements ChangeHook<ChangeResult> {
  readonly isOurs = true;
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

  /** Also checks the key: another process may have revoked it. */
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
