import { OWNER_LABEL, readLabels } from '../../common/labels.js';
import { MAX_MESSAGE } from '../../common/field-limits.js';
import type { Difference } from '../../history/record-differences.js';
import type { SetOwner } from '../../zone-files/import/owned-sets.js';
import { parseNumber } from '../arguments.js';

export interface PlanOptions {
  /** `null`: zones of all tenants. */
  readonly tenant: string | null;
  readonly creates: boolean;
  readonly email: string | null;
  readonly maxDeletes: DeletionLimit;
  readonly message: string | null;
  /** `null`: the folder owns all records of its zones. */
  readonly owner: SetOwner | null;
}

/** A number of records, or a percentage of those of the zone or the owner. */
export interface DeletionLimit {
  readonly amount: number;
  readonly isPercentage: boolean;
}

interface GivenOptions {
  readonly tenant: string | undefined;
  readonly creates: boolean;
  readonly email: string | undefined;
  readonly maxDeletes: string | undefined;
  readonly message: string | undefined;
  readonly owner: string | undefined;
  readonly adopts: boolean;
}

export function readPlanOptions({ tenant, creates, email, maxDeletes, message, owner, adopts }: GivenOptions) {
  if (message !== undefined && message.length > MAX_MESSAGE)
    throw new Error(`--message: write at most ${MAX_MESSAGE} characters`);
  if (adopts && owner === undefined) throw new Error('--adopt: name the owner with --owner');
  return {
    tenant: tenant ?? null,
    creates,
    email: email ?? null,
    maxDeletes: parseLimit(maxDeletes ?? '30%'),
    message: message ?? null,
    owner: owner === undefined ? null : { name: readOwner(owner), adopts },
  } satisfies PlanOptions;
}

/** @throws Error for text that cannot be the value of a label */
export function readOwner(text: string): string {
  try {
    if (text !== '') return readLabels({ [OWNER_LABEL]: text })[OWNER_LABEL] ?? text;
  } catch {
    // The message names the option instead.
  }
  throw new Error(`--owner ${JSON.stringify(text)}: write 1 to 63 of the characters A-Z a-z 0-9 . _ / -`);
}

function parseLimit(text: string): DeletionLimit {
  const isPercentage = text.endsWith('%');
  const amount = parseNumber('--max-deletes', isPercentage ? text.slice(0, -1) : text, 0, isPercentage ? 100 : 1e9);
  return { amount, isPercentage };
}

/** Counts records that leave without another record of their set in place. */
export class Deletions {
  private readonly bySet = new Map<string, number>();

  add({ action, before, after }: Difference): void {
    const { name, type } = before ?? after;
    const key = `${name.toLowerCase()} ${type}`;
    if (action !== 'update') this.bySet.set(key, (this.bySet.get(key) ?? 0) + (action === 'delete' ? 1 : -1));
  }

  /** A percentage always allows one record. */
  refusal(records: number, { amount, isPercentage }: DeletionLimit): string | null {
    let count = 0;
    for (const net of this.bySet.values()) count += Math.max(0, net);
    const allowed = isPercentage ? Math.max(amount === 0 ? 0 : 1, Math.floor((records * amount) / 100)) : amount;
    if (count <= allowed) return null;
    const limit = `${amount}${isPercentage ? '%' : ''}`;
    return `deletes ${count} of ${records} records, and --max-deletes ${limit} allows ${allowed}: check the file, or raise --max-deletes`;
  }
}
