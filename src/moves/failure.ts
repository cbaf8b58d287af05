import type { TransferFailure } from '../publishing/secondary/received-zone.js';

/** Why a name server gave nothing, for programs. */
export const FAILURES = [
  'no_address',
  'forbidden_address',
  'unreachable',
  'no_answer',
  'refused',
  'not_authoritative',
  'bad_signature',
  'too_large',
  'invalid_answer',
] as const satisfies readonly (TransferFailure | 'no_address' | 'forbidden_address')[];

export type Failure = (typeof FAILURES)[number];

export interface ServerFailure {
  readonly reason: Failure;
  readonly message: string;
}
