import type { OutlinedStep } from './history.repository.js';

export interface CompactedStep {
  readonly id: string;
  readonly first: number;
  readonly last: number;
  /** Existence before the first step and after the last one. */
  readonly existed: boolean;
  readonly exists: boolean;
  /** Snapshot length of the first step, and of both steps together. */
  readonly firstOctets: number;
  readonly octets: number;
}

export interface CompactedSteps {
  readonly count: number;
  /** By id, in the order of their first steps. */
  readonly records: ReadonlyMap<string, CompactedStep>;
  /** First step of the zone itself; `null` if none. */
  readonly firstOfZone: number | null;
  /** Whether the serial was raised above serials that name servers may have with any content. */
  readonly isRaised: boolean;
}

/**
 * Drops records created and deleted in between. So memory holds at most as many records as the zone ever had.
 * @param outline the steps between the two moments, in order
 */
export async function compactSteps(outline: AsyncIterable<readonly OutlinedStep[]>): Promise<CompactedSteps> {
  const records = new Map<string, CompactedStep>();
  let firstOfZone: number | null = null;
  let count = 0;
  let isRaised = false;
  for await (const steps of outline) {
    count += steps.length;
    for (const step of steps) {
      if (step.action === 'zone.serial') isRaised = true;
      if (step.recordId === null) firstOfZone ??= step.number;
      else add(records, step.recordId, step);
    }
  }
  return { count, records, firstOfZone, isRaised };
}

function add(records: Map<string, CompactedStep>, id: string, { number, action, octets }: OutlinedStep): void {
  const earlier = records.get(id);
  const { first, firstOctets, existed } = earlier ?? firstStep(number, action, octets);
  const exists = action !== 'record.delete';
  if (!existed && !exists) records.delete(id);
  else records.set(id, { id, first, last: number, existed, exists, firstOctets, octets: firstOctets + octets });
}

function firstStep(first: number, action: string, firstOctets: number) {
  return { first, firstOctets, existed: action !== 'record.create' };
}
