/** An address of a name whose PTR records the service keeps (behaviour 26). */
export interface FollowedAddress {
  /** Owner name of the A or AAAA record. */
  readonly name: string;
  readonly rdata: string;
  /** In seconds. */
  readonly ttl: number | null;
}

/** A change with more addresses would hold the lock of the reverse domain too long. */
const MOST = 1000;

/** What a change adds and removes, without what it adds and removes again. */
export class FollowedAddresses {
  readonly added = new Map<string, FollowedAddress>();
  readonly removed = new Map<string, FollowedAddress>();

  get isEmpty(): boolean {
    return this.added.size + this.removed.size === 0;
  }

  /** Then none is followed (behaviour 26.5). */
  get areTooMany(): boolean {
    return this.added.size + this.removed.size > MOST;
  }

  add(address: FollowedAddress): void {
    this.note(address, this.added, this.removed);
  }

  remove(address: FollowedAddress): void {
    this.note(address, this.removed, this.added);
  }

  addAll({ added, removed }: FollowedAddresses): void {
    for (const address of removed.values()) this.remove(address);
    for (const address of added.values()) this.add(address);
  }

  private note(
    address: FollowedAddress,
    to: Map<string, FollowedAddress>,
    opposite: Map<string, FollowedAddress>,
  ): void {
    const key = `${address.rdata} ${address.name.toLowerCase()}`;
    if (!opposite.delete(key) && !this.areTooMany) to.set(key, address);
  }
}
