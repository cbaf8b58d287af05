import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/** How often a process says that it lives, and looks at the others, in milliseconds. */
export const HEARTBEAT_INTERVAL = 3000;
/** One that has not done so for so long is dead. Measured by each process itself: clocks need not agree. */
export const HEARTBEAT_TIMEOUT = 9000;
/** A process gives up what it has before others may take it. */
export const OWN_HEARTBEAT_TIMEOUT = 7000;

const OF_THIS_PROCESS = new Set<string>();

/** A name for something in this process that tells it from all others, and where to look whether it lives: 255 characters at most. */
export function newOwnerId(): string {
  const holder = `${hostname().slice(0, 200)}/${process.pid}/${randomUUID()}`;
  OF_THIS_PROCESS.add(holder);
  return holder;
}

/** It has given up what it held. */
export function forgetOwnerId(holder: string): void {
  OF_THIS_PROCESS.delete(holder);
}

/** Whether the holder was a process of this machine that has ended. A container's processes have the same id each time. */
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

/** What is renewed in the database again and again, as long as somebody lives. */
export interface Heartbeat {
  /** Whose it is. */
  readonly key: string;
  /** Grows with each renewal. */
  readonly renewals: number;
}

/** How long others have not renewed what they hold, by the clock of this process. */
export class Heartbeats {
  private known = new Map<string, { readonly renewals: number; readonly since: number }>();

  /**
   * Notes what was found in the database, and forgets what is no longer there.
   * @param now on the monotonic clock
   * @returns for how long each has stood still, in milliseconds
   */
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

/** Tells which of those who hold something are dead, among them what this process was before it started again. */
export class HeartbeatMonitor {
  private readonly heartbeats = new Heartbeats();
  private isFirstLook = true;

  /**
   * @param own the name of this process, which lives
   * @param lifeTime how long the others may stand still, in milliseconds
   */
  constructor(
    private readonly own: string,
    private readonly lifeTime = HEARTBEAT_TIMEOUT,
  ) {}

  /**
   * @param found all that the database has, by their names
   * @param now on the monotonic clock
   */
  deadAmong(found: readonly Heartbeat[], now: number): ReadonlySet<string> {
    const stillFor = this.heartbeats.look(found, now);
    const isDead = ({ key }: Heartbeat): boolean => {
      if (key === this.own) return false;
      // Machines may share a name, so what seems to have ended on this one may live: it is believed once.
      return (stillFor.get(key) ?? 0) >= this.lifeTime || (this.isFirstLook && isDeadProcess(key));
    };
    const dead = new Set(found.filter(isDead).map(({ key }) => key));
    this.isFirstLook = false;
    return dead;
  }
}
