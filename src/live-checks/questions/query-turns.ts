import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Clock, toUnixSeconds } from '../../common/clock.js';
import { FairLimiter } from '../../common/waiting/fair-limiter.js';
import { TokenBucket } from '../../common/waiting/token-bucket.js';
import { DnsClient, type Reply } from '../../publishing/pool/dns-client.js';
import { LiveChecksOptions } from '../live-checks.options.js';

/** Concurrent queries, which mostly wait for foreign servers. */
const TURNS = { inAll: 64, perKey: 8 };
/** Requested checks keep a half. */
const SCHEDULED_TURNS = { inAll: 32, perKey: 8 };
/** The minimum time that a query occupies a slot: limits a tenant to 80 queries a second, and a process to 640. */
const MIN_TURN_MS = 100;
/** Reading an answer takes processor time: 2000 records occupy the slot for two seconds. */
const TURN_MS_A_RECORD = 1;

/** How the queries of one check take their turns. */
export interface CheckTurns {
  run(ask: () => Promise<Reply>): Promise<Reply>;
  /** For a query that is sent again. */
  repeat(): void;
}

/** Bounds the queries of all live checks; tenants take turns (behaviour 27.2). */
@Injectable()
export class QueryTurns implements OnModuleDestroy {
  readonly client: DnsClient;
  private readonly turns = new FairLimiter(TURNS);
  private readonly scheduledTurns = new FairLimiter(SCHEDULED_TURNS);
  private readonly payments = new FairLimiter({ inAll: 1 });
  /** One token is one query of a scheduled check. */
  private readonly budget: TokenBucket;

  constructor(
    private readonly clock: Clock,
    { scheduledQueriesPerSecond }: LiveChecksOptions,
  ) {
    this.budget = new TokenBucket(1000 / scheduledQueriesPerSecond, 1);
    this.client = new DnsClient(this.unixClock);
  }

  readonly unixClock = (): number => toUnixSeconds(this.clock.now());

  async onModuleDestroy(): Promise<void> {
    await this.client.close();
  }

  ofRequest(tenantId: string): CheckTurns {
    return { run: (ask) => this.run(tenantId, ask), repeat: () => undefined };
  }

  /** Each query waits for the budget of all scheduled checks (behaviour 27.13). */
  ofSchedule(tenantId: string, stop: AbortSignal): CheckTurns {
    const paid = async (ask: () => Promise<Reply>): Promise<Reply> => {
      await this.payments.run(() => this.pay(stop), tenantId);
      return this.run(tenantId, ask);
    };
    return {
      run: (ask) => this.scheduledTurns.run(() => paid(ask), tenantId),
      repeat: () => this.budget.takeInAdvance(1),
    };
  }

  private async pay(stop: AbortSignal): Promise<void> {
    // A check that has ended asks nothing.
    if (stop.aborted) return;
    await delay(this.budget.timeToNext(), undefined, { ref: false });
    this.budget.takeInAdvance(1);
  }

  private async run(tenantId: string, ask: () => Promise<Reply>): Promise<Reply> {
    const release = await this.turns.slot(tenantId);
    const pause = delay(MIN_TURN_MS, undefined, { ref: false });
    try {
      const reply = await ask();
      void Promise.all([pause, delay(recordsIn(reply) * TURN_MS_A_RECORD, undefined, { ref: false })]).then(release);
      return reply;
    } catch (error) {
      // A check that has ended asks nothing.
      release();
      throw error;
    }
  }
}

function recordsIn({ message }: Reply): number {
  return message === null ? 0 : message.answers.length + message.authorities.length + message.additionals.length;
}
