/** One kind of repair that an import makes to what a file says. */
export interface Repair {
  /** Repairs of one kind are counted together. */
  readonly kind: string;
  /** One line for people: what was done how often. */
  readonly describe: (count: number) => string;
}

/** Counts the repairs of an import by their kinds. */
export class ImportRepairs {
  private readonly kinds = new Map<string, { readonly repair: Repair; count: number }>();

  add(repair: Repair): void {
    const found = this.kinds.get(repair.kind);
    if (found === undefined) this.kinds.set(repair.kind, { repair, count: 1 });
    else found.count += 1;
  }

  /** One line for each kind, in the order of the file. */
  lines(): string[] {
    return [...this.kinds.values()].map(({ repair, count }) => repair.describe(count));
  }
}

/** Leaves out a record that the service makes itself when it signs the zone (RFC 4034, RFC 5155, RFC 7344, RFC 8976). */
export function droppedSignature(type: string): Repair {
  const describe = (count: number): string =>
    `dropped ${count} ${type} record${count === 1 ? '' : 's'}: the service makes them when it signs the zone`;
  return { kind: `dropped ${type}`, describe };
}
