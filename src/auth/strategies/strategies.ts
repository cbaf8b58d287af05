import type { Strategy } from './strategy.js';

/** Those of `auth_strategy`, in the order in which they are asked. */
export abstract class Strategies {
  abstract readonly all: readonly Strategy[];
}
