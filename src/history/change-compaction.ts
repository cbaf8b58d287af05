import type { OutlinedStep } from './history.repository.js';

/** What happened to one record between two moments: its first step and its last. */
export interface CompactedStep {
  readonly id: string;
  readonly first: number;
  readonly last: number;
  /** Whether it was there before the first, and whether it is there after the last. */
  readonly existed: boolean;
  readonly exists: boolean;
  /** Length of the snapshots of the first, and of both together. */
  readonly firstOctets: number;
  readonly octets: number;
}

/** What happened to a zone between two moments. */
export interface CompactedSteps {
  /** Of all steps. */
  readonly count: number;
  /** By id, in the order of their first steps. */
  readonly records: ReadonlyMap<string, CompactedStep>;
  /** Number of the first step of the zone itself; `null` where there is none. */
  readonly firstOfZone: number | null;
  /** Whether the serial was raised above others that name servers may have, with whatever contents. */
  readonly isRaised: boolean;
}

/**
 * A record that came and went is forgotten, so that there are never more in memory than stood in the zone at its largest.
 * @param outline the steps between the two moments, in their order
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
