import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

export interface AskedNameServer {
  readonly host: string;
  readonly port: number;
}

/** Milliseconds for each of two queries to a name server. */
const QUESTION_TIMEOUT = 3000;
/** Milliseconds for one lookup over all name servers. */
const LONGEST_LOOKUP = 10_000;

/** Looks up names that tenants choose. System lookups share a few threads, which slow name servers would block. */
export class AddressLookup {
  private readonly nameServers: readonly string[];

  /** @param nameServers empty: those of the system */
  constructor(nameServers: readonly AskedNameServer[]) {
    this.nameServers = nameServers.map(({ host, port }) => `${isIP(host) === 6 ? `[${host}]` : host}:${port}`);
  }

  /** Returns no address for an unknown name, after a timeout, and after `stop`. */
  addressesOf(host: string, stop: AbortSignal): Promise<string[]> {
    return this.ask((resolver) => [resolver.resolve4(host), resolver.resolve6(host)], stop);
  }

  /** Returns no name for an unknown zone, after a timeout, and after `stop`. */
  nameServersOf(zone: string, stop: AbortSignal): Promise<string[]> {
    return this.ask((resolver) => [resolver.resolveNs(zone)], stop);
  }

  private async ask(
    question: (resolver: Resolver) => readonly Promise<string[]>[],
    stop: AbortSignal,
  ): Promise<string[]> {
    if (stop.aborted) return [];
    // One resolver for each lookup: `cancel` ends all queries of a resolver.
    const resolver = new Resolver({ timeout: QUESTION_TIMEOUT, tries: 2 });
    if (this.nameServers.length > 0) resolver.setServers(this.nameServers);
    const cancel = (): void => resolver.cancel();
    const timer = setTimeout(cancel, LONGEST_LOOKUP);
    stop.addEventListener('abort', cancel);
    try {
      const found = await Promise.allSettled(question(resolver));
      return found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    } finally {
      clearTimeout(timer);
      stop.removeEventListener('abort', cancel);
    }
  }
}
