/** A plugin, and the folder that its code is in. */
export interface PluginFolder {
  readonly plugin: string;
  /** A URL that ends with `/`. */
  readonly folder: string;
}

export interface WatchdogOptions {
  readonly folders: readonly PluginFolder[];
  /** After so many milliseconds the process is ended; 0: never. */
  readonly limit: number;
  /** Whether its lines are JSON. */
  readonly isJson: boolean;
}

/** What the thread is started with. */
export interface ThreadData extends WatchdogOptions {
  readonly vitalSigns: Int32Array;
}

/** The thread calls it on this one, by the debugger: under this name in the global object. */
export const RELEASE = 'zonewright: release signals';
