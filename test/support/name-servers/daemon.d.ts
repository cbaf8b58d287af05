/** A program that runs in the foreground, and that the system ends with us, however we end. */
export class Daemon {
  /** All output so far. */
  readonly log: string;
  readonly pid: number;

  /**
   * @param isReady whether it serves; asked until it says so
   * @param patience milliseconds that it may take to serve
   */
  constructor(command: readonly [string, ...string[]], isReady: () => Promise<boolean>, patience?: number);

  /** Resolves when it serves. */
  start(): Promise<void>;
  /** Resolves when it has ended: of itself, or killed when it takes long. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}
