/** Which call into a plugin the main thread is in, where the watchdog, a thread of its own, can see it. */

const CELLS = { beats: 0, mark: 1 } as const;

/** How often the event loop has come round, and the mark of the call that is on; 0 for none. */
export const vitalSigns = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));

const names: string[] = ['nothing of a plugin'];
let tellName: (mark: number, name: string) => void = () => undefined;

/** Returns what stands for a call in `during`. */
export function markOf(name: string): number {
  const mark = names.push(name) - 1;
  tellName(mark, name);
  return mark;
}

/** Has somebody told of all marks, those that are yet to come as well. */
export function tellMarks(tell: (mark: number, name: string) => void): void {
  for (const [mark, name] of names.entries()) tell(mark, name);
  tellName = tell;
}

/** Runs what a plugin does without giving up the thread. */
export function during<T>(mark: number, work: () => T): T {
  const outer = vitalSigns[CELLS.mark] ?? 0;
  vitalSigns[CELLS.mark] = mark;
  try {
    return work();
  } finally {
    vitalSigns[CELLS.mark] = outer;
  }
}

export function beat(): void {
  Atomics.add(vitalSigns, CELLS.beats, 1);
}

/** What the watchdog sees. */
export function readVitalSigns(cells: Int32Array): { readonly beats: number; readonly mark: number } {
  return { beats: Atomics.load(cells, CELLS.beats), mark: Atomics.load(cells, CELLS.mark) };
}
