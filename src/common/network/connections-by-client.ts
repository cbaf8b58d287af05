/** The open connections of a server by client, so that the one that has most can lose one when there are too many. */
export class ConnectionsByClient<Connection> {
  private readonly byClient = new Map<string, Set<Connection>>();
  private total = 0;

  get count(): number {
    return this.total;
  }

  /** The oldest comes first. */
  of(client: string): ReadonlySet<Connection> {
    return this.byClient.get(client) ?? new Set();
  }

  all(): Connection[] {
    return [...this.byClient.values()].flatMap((own) => [...own]);
  }

  add(client: string, connection: Connection): void {
    const own = this.byClient.get(client) ?? new Set();
    this.byClient.set(client, own.add(connection));
    this.total += 1;
  }

  /** Does nothing for one that is not there any more. */
  remove(client: string, connection: Connection): void {
    const own = this.byClient.get(client);
    if (own?.delete(connection) !== true) return;
    this.total -= 1;
    if (own.size === 0) this.byClient.delete(client);
  }

  /** The client that has most, and what it has. */
  largest(): [client: string, connections: ReadonlySet<Connection>] {
    let largest: [string, ReadonlySet<Connection>] = ['', new Set()];
    for (const entry of this.byClient) if (entry[1].size > largest[1].size) largest = entry;
    return largest;
  }
}
