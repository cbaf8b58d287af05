import { nextTurn } from './event-loop-turns.js';

const LONGEST_SLICE_MS = 10;
/** Octets between two clock reads: 1 to 2 ms of work on a slow machine. */
const OCTETS_BETWEEN_CHECKS = 65_536;
/** Fixed cost of an item, in octets of text. */
const OCTETS_OF_ITEM = 512;

/**
 * Cuts work into slices of at most 20 ms. Counts octets, because rows differ in length by a factor of 1000. Call
 * `pause` only when `isOver` returns `true`.
 */
export class Slices {
  private begun = performance.now();
  private octets = 0;

  /** @param turn resolves at the next slice; use `nextTurnOfChange` in a change that holds its zone */
  constructor(private readonly turn = nextTurn) {}

  /** Returns whether `pause` is due. */
  isOver(octets: number): boolean {
    this.octets += octets + OCTETS_OF_ITEM;
    if (this.octets < OCTETS_BETWEEN_CHECKS) return false;
    this.octets = 0;
    return performance.now() - this.begun >= LONGEST_SLICE_MS;
  }

  async pause(): Promise<void> {
    await this.turn();
    this.octets = 0;
    this.begun = performance.now();
  }
}
