import { NetworkList } from '../common/network-list.js';

/** Of networks and machines that not everybody can reach (IANA, Special-Purpose Address Registries). */
const NOT_PUBLIC = new NetworkList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '224.0.0.0/3',
  '::/96',
  '64:ff9b::/32',
  'fc00::/7',
  'fe80::/9',
  'ff00::/8',
]);

/**
 * Where masters may be asked. Whoever makes a secondary zone has the service ask an address of its choice, and is shown the
 * answer; name servers inside a network tell the service what they tell no stranger.
 */
export class AllowedMasters {
  private readonly networks: NetworkList | null;

  /** @param networks addresses and networks in CIDR notation; none: whatever is public */
  constructor(networks: readonly string[]) {
    this.networks = networks.length > 0 ? new NetworkList(networks) : null;
  }

  /** @param address an IP address */
  allows(address: string): boolean {
    return this.networks === null ? !NOT_PUBLIC.has(address) : this.networks.has(address);
  }
}
