import { setFlagsFromString } from 'node:v8';
import { ServiceError } from './service-error.js';
import { FairLimiter } from './waiting/fair-limiter.js';
import type { Release, TenantBounds } from './waiting/limiter.js';

/** What is smaller is bounded by the number of requests, in octets. */
const SMALL = 65_536;
/**
 * How much the heap may grow before V8 collects garbage again, in percent. By itself V8 lets a small heap grow to four times its
 * live size: the long records of 60 requests would take 2 GB.
 */
const HEAP_GROWTH_PERCENT = 10;
/** How long a request waits for memory, in milliseconds. */
const TIME_LIMIT = 10_000;

/** Memory that a request has until it is released. */
export interface HeldMemory {
  /** Gives back all of it; only the first call counts. */
  readonly release: Release;
}

const NOTHING: HeldMemory = { release: () => undefined };

/**
 * Bounds the octets that requests hold, of one tenant and of all: their bodies, and the records that are read for changes and
 * plans, until the client has taken the answer. A request waits for its turn, tenant after tenant. One that needs more than
 * there is waits until its tenant has nothing else, or all have nothing.
 */
export class RequestMemory {
  /** Two pools: a request that has its body waits for its records, and none of those that have records waits for a body. */
  private readonly bodies: FairLimiter;
  private readonly records: FairLimiter;

  constructor({ perTenant, inAll }: TenantBounds) {
    setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
    const bounds = { units: 'octets', inAll, perKey: perTenant, timeLimit: TIME_LIMIT };
    this.bodies = new FairLimiter({ ...bounds, things: 'large bodies' });
    this.records = new FairLimiter({ ...bounds, things: 'changes of long records' });
  }

  /** @throws ServiceError `unavailable` after 10 seconds */
  holdBody(tenantId: string, octets: number): Promise<HeldMemory> {
    return hold(this.bodies, tenantId, octets);
  }

  /** @throws ServiceError `unavailable` after 10 seconds */
  holdRecords(tenantId: string, octets: number): Promise<HeldMemory> {
    return hold(this.records, tenantId, octets);
  }
}

async function hold(limiter: FairLimiter, tenantId: string, octets: number): Promise<HeldMemory> {
  if (octets < SMALL) return NOTHING;
  try {
    return { release: await limiter.manySlots(tenantId, octets) };
  } catch (error) {
    throw error instanceof ServiceError ? tookTooLong() : error;
  }
}

function tookTooLong(): ServiceError {
  const seconds = TIME_LIMIT / 1000;
  return new ServiceError(
    'unavailable',
    `The request waited ${seconds} s for memory that other requests hold and was given up. Try again in ${seconds} s, or send less in one request.`,
    [],
    seconds,
  );
}
