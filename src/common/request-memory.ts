import { setFlagsFromString } from 'node:v8';
import { ServiceError } from './service-error.js';
import { FairLimiter } from './waiting/fair-limiter.js';
import type { Release, TenantBounds } from './waiting/limiter.js';

/** Octets; smaller requests reserve nothing, because their number bounds them. */
const SMALL = 65_536;
const TIME_LIMIT_MS = 10_000;

/**
 * V8 lets a small heap grow to four times its live size: the long records of 60 requests would take 2 GB. A command has one caller,
 * and its garbage collections would take a fifth of an import.
 */
const HEAP_GROWTH_PERCENT = { service: 40, command: 100 };

export function limitHeapGrowth(of: keyof typeof HEAP_GROWTH_PERCENT): void {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT[of]}`);
}

export interface HeldMemory {
  readonly octets: number;
  /** Releases all memory. Later calls do nothing. */
  readonly release: Release;
}

/**
 * Bounds request memory by tenant and in total until the client has the answer: bodies, and records of changes and
 * plans. Tenants take turns. A request above its bound waits until no other request holds memory.
 */
export class RequestMemory {
  /** Two pools prevent a deadlock: a request that holds its body waits for records, but never the reverse. */
  private readonly bodies: FairLimiter;
  private readonly records: FairLimiter;

  constructor({ perTenant, inAll }: TenantBounds) {
    const bounds = { units: 'octets', inAll, perKey: perTenant, timeLimit: TIME_LIMIT_MS };
    this.bodies = new FairLimiter({ ...bounds, things: 'large bodies' });
    this.records = new FairLimiter({ ...bounds, things: 'changes of long records' });
  }

  holdBody(tenantId: string, octets: number): Promise<HeldMemory> {
    return hold(this.bodies, tenantId, octets);
  }

  /** @throws ServiceError `unavailable` after 10 seconds */
  holdRecords(tenantId: string, octets: number): Promise<HeldMemory> {
    return hold(this.records, tenantId, octets);
  }
}

async function hold(limiter: FairLimiter, tenantId: string, octets: number): Promise<HeldMemory> {
  if (octets < SMALL) return { octets, release: () => undefined };
  try {
    return { octets, release: await limiter.manySlots(tenantId, octets) };
  } catch (error) {
    throw error instanceof ServiceError ? waitedTooLong() : error;
  }
}

function waitedTooLong(): ServiceError {
  const seconds = TIME_LIMIT_MS / 1000;
  return new ServiceError(
    'unavailable',
    `The request waited ${seconds} s for memory that other requests hold and was given up. Try again in ${seconds} s, or send less in one request.`,
    [],
    seconds,
  );
}
