import { isIP, type LookupFunction } from 'node:net';
import { Injectable } from '@nestjs/common';
import { AddressLookup } from '../../../common/network/address-lookup.js';
import { AllowedTargets } from './allowed-targets.js';
import { TargetFault } from './target-fault.js';
import { WebhooksOptions } from '../webhooks.options.js';

/** Where targets are, by the judgement of `AllowedTargets` on each address. */
@Injectable()
export class TargetAddresses {
  private readonly names: AddressLookup;

  constructor(
    private readonly targets: AllowedTargets,
    { limits }: WebhooksOptions,
  ) {
    this.names = new AddressLookup(limits.nameServers);
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

  private async of(host: string, signal: AbortSignal): Promise<{ address: string; family: number }[]> {
    const addresses = await this.names.addressesOf(host, signal);
    if (addresses.length === 0) throw new TargetFault('failed', `${host}: no address is known`);
    return this.assertAllowed(addresses, host).map((address) => ({ address, family: isIP(address) }));
  }
}
