import type { DomainName } from '../name.js';

/** What is asked for (RFC 1035 §4.1.2). */
export interface Question {
  readonly name: DomainName;
  readonly type: number;
  readonly class: number;
}

/** How many octets type and class take behind the name. */
export const QUESTION_FIXED_OCTETS = 4;
