/** Above the limit, the client with most connections loses one. */
export class ConnectionsByClient<Connection> {
  private readonly byClient = new Map<string, Set<Connection>>();
  private total = 0;

  get count(): number {
    return this.total;
  }

  /** Oldest first. */
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

  remove(client: string, connection: Connection): void {
    const own = this.byClient.get(client);
    if (own?.delete(connection) !== true) return;
    this.total -= 1;
    if (own.size === 0) this.byClient.delete(client);
  }

  largest(): [client: string, connections: ReadonlySet<Connection>] {
    let largest: [string, ReadonlySet<Connection>] = ['', new Set()];
    for (const entry of this.byClient) if (entry[1].size > largest[1].size) largest = entry;
    return largest;
  }
}
