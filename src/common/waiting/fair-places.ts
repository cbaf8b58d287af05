/**
 * Places for what takes long, shared by tenants: one takes a place only while more are free than it has. One alone has half of
 * them, and however many tenants hold on to theirs, there is one for the next tenant.
 */
export class FairPlaces {
  private readonly ofTenants = new Map<string, number>();
  private taken = 0;

  constructor(private readonly count: number) {}

  get areAllTaken(): boolean {
    return this.taken >= this.count;
  }

  /** Takes a place; `false` where the tenant has as many as it may. */
  take(tenantId: string): boolean {
    const has = this.ofTenants.get(tenantId) ?? 0;
    if (has >= this.count - this.taken) return false;
    this.ofTenants.set(tenantId, has + 1);
    this.taken += 1;
    return true;
  }

  giveBack(tenantId: string): void {
    const left = (this.ofTenants.get(tenantId) ?? 0) - 1;
    if (left > 0) this.ofTenants.set(tenantId, left);
    else this.ofTenants.delete(tenantId);
    this.taken -= 1;
  }
}
