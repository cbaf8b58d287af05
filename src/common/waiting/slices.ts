import { nextTurn } from './event-loop-turns.js';

/** How long work goes on before others have the event loop, in milliseconds. */
const LONGEST_SLICE = 10;
/** The clock is asked after so many octets: on a slow machine they take a millisecond or two. */
const OCTETS_BETWEEN_LOOKS = 65_536;
/** An item costs as much as so many octets of text, however short it is. */
const OCTETS_OF_ITEM = 512;

/**
 * Cuts work into slices of at most 20 ms by the octets that it goes through, since rows differ in length by a factor of a
 * thousand. Between two slices other requests have the event loop.
 *
 * Work that fits into one slice never waits: `await` only what `isOver` asks for.
 */
export class Slices {
  private begun = performance.now();
  private octets = 0;

  /** @param turn waits for the next slice; `nextTurnOfChange` in a change that holds its zone */
  constructor(private readonly turn = nextTurn) {}

  /** Counts an item of so many octets; `true` once `pause` is due. */
  isOver(octets: number): boolean {
    this.octets += octets + OCTETS_OF_ITEM;
    if (this.octets < OCTETS_BETWEEN_LOOKS) return false;
    this.octets = 0;
    return performance.now() - this.begun >= LONGEST_SLICE;
  }

  /** Resolves when the next slice begins. */
  async pause(): Promise<void> {
    await this.turn();
    this.octets = 0;
    this.begun = performance.now();
  }
}
