import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/** In milliseconds. */
export const HEARTBEAT_INTERVAL = 3000;
/** In milliseconds, by the clock of each process. */
export const HEARTBEAT_TIMEOUT = 9000;
/** Shorter: a process gives up its leases before others may take them. */
export const OWN_HEARTBEAT_TIMEOUT = 7000;

const OF_THIS_PROCESS = new Set<string>();

/** Unique, with host and PID: at most 255 characters. */
export function newOwnerId(): string {
  const holder = `${hostname().slice(0, 200)}/${process.pid}/${randomUUID()}`;
  OF_THIS_PROCESS.add(holder);
  return holder;
}

export function forgetOwnerId(holder: string): void {
  OF_THIS_PROCESS.delete(holder);
}

/** An ended process of this machine. Container processes reuse the same PID. */
function isDeadProcess(holder: string): boolean {
  const [host, pid] = holder.split('/');
  if (host !== hostname().slice(0, 200)) return false;
  if (Number(pid) === process.pid) return !OF_THIS_PROCESS.has(holder);
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

export interface Heartbeat {
  readonly key: string;
  /** Grows with each renewal. */
  readonly renewals: number;
}

/** By the clock of this process. */
export class Heartbeats {
  private known = new Map<string, { readonly renewals: number; readonly since: number }>();

  /** Returns milliseconds since the last change of each. @param now on the monotonic clock */
  look(found: readonly Heartbeat[], now: number): ReadonlyMap<string, number> {
    const before = this.known;
    this.known = new Map();
    const still = new Map<string, number>();
    for (const { key, renewals } of found) {
      const earlier = before.get(key);
      const since = earlier?.renewals === renewals ? earlier.since : now;
      this.known.set(key, { renewals, since });
      still.set(key, now - since);
    }
    return still;
  }
}

/** Also detects this process before its restart. */
export class HeartbeatMonitor {
  private readonly heartbeats = new Heartbeats();
  private isFirstLook = true;

  /** `own` is the name of this process; `lifeTime` is in milliseconds. */
  constructor(
    private readonly own: string,
    private readonly lifeTime = HEARTBEAT_TIMEOUT,
  ) {}

  /** @param now on the monotonic clock */
  deadAmong(found: readonly Heartbeat[], now: number): ReadonlySet<string> {
    const stillFor = this.heartbeats.look(found, now);
    const isDead = ({ key }: Heartbeat): boolean => {
      if (key === this.own) return false;
      // Machines may share a name, so the PID is checked only once.
      return (stillFor.get(key) ?? 0) >= this.lifeTime || (this.isFirstLook && isDeadProcess(key));
    };
    const dead = new Set(found.filter(isDead).map(({ key }) => key));
    this.isFirstLook = false;
    return dead;
  }
}
