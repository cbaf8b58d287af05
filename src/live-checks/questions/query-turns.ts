import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Clock, toUnixSeconds } from '../../common/clock.js';
import { FairLimiter } from '../../common/waiting/fair-limiter.js';
import { DnsClient, type Reply } from '../../publishing/pool/dns-client.js';

/** Concurrent queries, which mostly wait for foreign servers. */
const TURNS = { inAll: 64, perKey: 8 };
/** The minimum time that a query occupies a slot: limits a tenant to 80 queries a second, and a process to 640. */
const MIN_TURN_MS = 100;
/** Reading an answer takes processor time: 2000 records occupy the slot for two seconds. */
const TURN_MS_A_RECORD = 1;

/** Bounds the queries of all live checks; tenants take turns (behaviour 27.2). */
@Injectable()
export class QueryTurns implements OnModuleDestroy {
  readonly client: DnsClient;
  private readonly turns = new FairLimiter(TURNS);

  constructor(private readonly clock: Clock) {
    this.client = new DnsClient(this.unixClock);
  }

  readonly unixClock = (): number => toUnixSeconds(this.clock.now());

  async onModuleDestroy(): Promise<void> {
    await this.client.close();
  }

  async run(tenantId: string, ask: () => Promise<Reply>): Promise<Reply> {
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
