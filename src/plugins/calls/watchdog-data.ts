export interface PluginFolder {
  readonly plugin: string;
  /** Ends with `/`. */
  readonly folder: string;
}

export interface WatchdogOptions {
  readonly folders: readonly PluginFolder[];
  /** Milliseconds until the process is killed; 0: never. */
  readonly limit: number;
  readonly isJson: boolean;
}

export interface ThreadData extends WatchdogOptions {
  readonly vitalSigns: Int32Array;
}

/** A global function of the main thread, which the watchdog calls through the debugger. */
export const RELEASE = 'zonewright: release signals';

/** Shows the watchdog thread which plugin call the main thread is in. */

const CELLS = { beats: 0, mark: 1 } as const;

/** Rounds of the event loop, and the mark of the current call; 0 for none. */
export const vitalSigns = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));

const names: string[] = ['nothing of a plugin'];
let tellName: (mark: number, name: string) => void = () => undefined;

export function markOf(name: string): number {
  const mark = names.push(name) - 1;
  tellName(mark, name);
  return mark;
}

/** Includes future marks. */
export function tellMarks(tell: (mark: number, name: string) => void): void {
  for (const [mark, name] of names.entries()) tell(mark, name);
  tellName = tell;
}

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

export function readVitalSigns(cells: Int32Array): { readonly beats: number; readonly mark: number } {
  return { beats: Atomics.load(cells, CELLS.beats), mark: Atomics.load(cells, CELLS.mark) };
}
