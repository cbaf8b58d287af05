/** Types of name-servers.js, which is not TypeScript because bench/ uses it too. */
export type NameServerName = 'BIND' | 'Knot' | 'NSD' | 'PowerDNS';

export interface NameServer {
  readonly name: NameServerName;
  /** On 127.0.0.1. */
  readonly port: number;
  /** Where all of its files are. */
  readonly directory: string;
  /** All output so far. */
  readonly log: string;
  /** Resolves when it answers. */
  start(): Promise<void>;
  /** Resolves when it has ended. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export interface Place {
  /** Each server creates a subdirectory. */
  readonly directory: string;
  /** The port of 127.0.0.1 that it asks for zones. */
  readonly primary: number;
  readonly port?: number;
  /** Zones without final dot, in addition to those of the catalog. */
  readonly zones?: readonly string[];
  /** The key's secret in base64, where it is not to be that of the document. */
  readonly secret?: string | undefined;
}

export interface UdpRelay {
  readonly port: number;
  /** The NOTIFY messages that it was sent, `at` in milliseconds of performance.now(). */
  readonly notifies: readonly { readonly at: number; readonly isLost: boolean }[];
  /** From now on to that port. */
  leadTo(server: number): void;
  /** Drops the next `count` NOTIFYs. */
  loseNotifies(count: number): void;
  close(): void;
}

/** The Debian packages of the programs that it needs. */
export const NEEDS: Readonly<Record<NameServerName, Readonly<Record<string, string>>>>;
export const DOCUMENTED_KEY: string;
export const DOCUMENTED_SECRET: string;

/** Configured as docs/publishing.md says, and not yet started. */
export function nameServer(name: NameServerName, place: Place): Promise<NameServer>;
/** `nsd-control` for that server, with its arguments. */
export function nsdControlCommand(server: NameServer): string;
export function startUdpRelay(target: number, port?: number): Promise<UdpRelay>;
/** A port of 127.0.0.1 that is free for UDP and TCP. */
export function freePort(): Promise<number>;
/** The serial that a server serves; `null`: no such zone, or no answer. */
export function serialOf(port: number, zone: string, patience?: number): Promise<number | null>;
/** The file of that name as docs/publishing.md has it. */
export function documented(name: string): string;

/** The service's configuration file: `primary` is its port for DNS, `secondaries` the option of that name. */
export function serviceConfiguration(place: {
  readonly primary: number;
  readonly secondaries: string;
  readonly directory: string;
}): string;
