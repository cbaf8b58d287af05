import { NetworkList } from '../../common/network/network-list.js';
import { DomainName } from '../../dns/name.js';
import type { NetworkAccess } from '../publishing-readers.js';

/** Who may ask for zones: by address alone, or by address and key. */
export class AccessList {
  /** By the key of the name of the key that must have signed; `null`: none need have. */
  private readonly networks = new Map<string | null, NetworkList>();

  constructor(entries: readonly NetworkAccess[]) {
    for (const { network, key } of entries) this.networksOf(key).add(network);
  }

  /**
   * @param address without zone id, an IPv4 address in its own form
   * @param key the name of the key that has signed the request
   */
  allows(address: string, key: DomainName | null): boolean {
    return this.has(null, address) || (key !== null && this.has(key.key, address));
  }

  private has(key: string | null, address: string): boolean {
    return this.networks.get(key)?.has(address) ?? false;
  }

  private networksOf(key: string | null): NetworkList {
    const name = key === null ? null : DomainName.parse(key).key;
    const networks = this.networks.get(name) ?? new NetworkList();
    this.networks.set(name, networks);
    return networks;
  }
}
