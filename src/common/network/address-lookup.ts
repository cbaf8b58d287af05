import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

/** A name server that is asked for addresses. */
export interface AskedNameServer {
  /** An IP address. */
  readonly host: string;
  readonly port: number;
}

/** Of one question to a name server, in milliseconds; it is asked once more. */
const QUESTION_TIMEOUT = 3000;
/** Of a look-up, however many name servers there are, in milliseconds. */
const LONGEST_LOOKUP = 10_000;

/**
 * Looks up names that tenants choose. It asks by sockets of its own: the system's look-ups have a few threads for the whole
 * process, which names with silent name servers would use up, and they cannot be broken off, so that a stop waits for them.
 */
export class AddressLookup {
  private readonly nameServers: readonly string[];

  /** @param nameServers none: those of the system */
  constructor(nameServers: readonly AskedNameServer[]) {
    this.nameServers = nameServers.map(({ host, port }) => `${isIP(host) === 6 ? `[${host}]` : host}:${port}`);
  }

  /**
   * None for a name that is not known, or that nobody says anything of in time.
   * @param stop breaks it off: then nothing is found
   */
  async addressesOf(host: string, stop: AbortSignal): Promise<string[]> {
    if (stop.aborted) return [];
    // One for each look-up, because to cancel one cancels all that it was asked.
    const resolver = new Resolver({ timeout: QUESTION_TIMEOUT, tries: 2 });
    if (this.nameServers.length > 0) resolver.setServers(this.nameServers);
    const cancel = (): void => resolver.cancel();
    const timer = setTimeout(cancel, LONGEST_LOOKUP);
    stop.addEventListener('abort', cancel);
    try {
      const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      return found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    } finally {
      clearTimeout(timer);
      stop.removeEventListener('abort', cancel);
    }
  }
}
