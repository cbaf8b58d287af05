import { isAddressWithin } from '../../common/network/network.js';
import { isPublicElsewhere } from '../../common/network/public-address.js';

/**
 * Where masters may be asked. Whoever makes a secondary zone has the service ask an address of its choice, and is shown the
 * answer; name servers inside a network tell the service what they tell no stranger.
 */
export class AllowedPrimaries {
  /** @param networks addresses and networks in CIDR notation; none: whatever is public */
  constructor(private readonly networks: readonly string[]) {}

  /** @param address an IP address */
  allows(address: string): boolean {
    return this.networks.length === 0 ? isPublicElsewhere(address) : isAddressWithin(address, this.networks);
  }
}
