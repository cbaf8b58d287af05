import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { Injectable } from '@nestjs/common';
import { AllowedTargets } from './allowed-targets.js';
import { TargetFault } from './target-fault.js';
import { WebhooksOptions } from './webhooks.options.js';

/** Of one question to a name server, in milliseconds; it is asked once more. */
const LOOKUP_TIMEOUT = 3000;

/** Where targets are, by the judgement of `AllowedTargets` on each address. */
@Injectable()
export class TargetAddresses {
  private readonly nameServers: readonly string[];

  constructor(
    private readonly targets: AllowedTargets,
    { limits }: WebhooksOptions,
  ) {
    this.nameServers = limits.nameServers.map(({ host, port }) => `${isIP(host) === 6 ? `[${host}]` : host}:${port}`);
  }

  /**
   * What a connection asks for the addresses of a name: it is made to one of those that are returned.
   * @param signal ends the questions that are under way
   */
  lookup(signal: AbortSignal): LookupFunction {
    return (host, { all }, callback) => {
      this.of(host, signal).then(
        (addresses) => {
          const [first] = addresses;
          if (all === true) callback(null, addresses);
          else callback(null, first?.address ?? '', first?.family);
        },
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), []),
      );
    };
  }

  /** @throws TargetFault where none of them may be called */
  assertAllowed(addresses: readonly string[], host: string): string[] {
    const allowed = addresses.filter((address) => this.targets.allows(address));
    if (allowed.length > 0) return allowed;
    throw new TargetFault('blocked', `${host}: its address is not called by this service`);
  }

  /**
   * Asked by sockets of their own: names of tenants must not hold up the few threads that look up names for everybody. Each
   * call has a resolver, because to cancel one cancels all that it was asked.
   */
  private async of(host: string, signal: AbortSignal): Promise<{ address: string; family: number }[]> {
    const resolver = new Resolver({ timeout: LOOKUP_TIMEOUT, tries: 2 });
    if (this.nameServers.length > 0) resolver.setServers(this.nameServers);
    const cancel = (): void => resolver.cancel();
    signal.addEventListener('abort', cancel);
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    signal.removeEventListener('abort', cancel);
    const addresses = found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    if (addresses.length === 0) throw new TargetFault('failed', `${host}: no address is known`);
    return this.assertAllowed(addresses, host).map((address) => ({ address, family: isIP(address) }));
  }
}
