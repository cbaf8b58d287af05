import { zoneAddress } from '../zones/zone-address.js';

/** The steps of a move, by their part of the address. */
export const STEPS = ['source', 'records', 'compare', 'name-servers', 'delegation', 'dnssec'] as const;
export type Step = (typeof STEPS)[number];

/** The sources of the records. */
export const SOURCES = ['file', 'transfer', 'queries'] as const;
export type Source = (typeof SOURCES)[number];

/** A domain that moves in, as this browser keeps it. It contains no secret. */
export interface Move {
  /** The absolute name in lower case. */
  readonly domain: string;
  readonly email: string;
  readonly source: Source;
  /** Names or addresses of the old name servers; empty: those of the delegation. */
  readonly servers: readonly string[];
  /** Whether the old zone has signatures. */
  readonly isSigned: boolean;
  /** When caches have dropped a DS that the parent zone had, UTC; `null`: none was seen. */
  readonly dsUntil: string | null;
  /** The step that was open last. */
  readonly step: Step;
  readonly done: readonly Step[];
  /** The zone file, until its records are in the zone. */
  readonly text: string;
  /** When the move was changed, UTC. */
  readonly at: string;
}

export const newMove = (domain: string): Move => ({
  ...{ domain: domain.toLowerCase(), email: '', source: 'file', servers: [], isSigned: false, dsUntil: null },
  ...{ step: 'source', done: [], text: '' },
  at: new Date().toISOString(),
});

/** `/move-in/example.org./records`: names are written as in the addresses of zones. */
export const moveAddress = (domain: string, step: Step): string =>
  zoneAddress(domain, step).replace('/zones/', '/move-in/');

export const stepIn = (text: string): Step => STEPS.find((step) => step === text) ?? 'source';

export interface StepProps {
  readonly move: Move;
  readonly onChange: (change: Partial<Move>) => void;
  /** Marks the step as done. */
  readonly onDone: () => void;
}
