import { DAY, type Instant } from '../../common/clock.js';

const MINUTE: Instant = 60_000_000;
/** So many differ within a minute; with the minutes since 1970 before it, a number stays below 2^53. */
const WITHIN_A_MINUTE = 2 ** 27;
/** No run takes so long. */
const LONGEST_RUN = DAY;

/** The sets of one generation. */
export interface GenerationOfZone {
  readonly zoneId: string;
  readonly generation: number;
}

/**
 * For a run that signs all of a zone: later than the one that is published, and another one than those of runs beside it. It says
 * when the run began.
 */
export function newGeneration(published: number, now: Instant): number {
  const generation = Math.floor(now / MINUTE) * WITHIN_A_MINUTE + Math.floor(Math.random() * WITHIN_A_MINUTE);
  // Of the same minute, or of a clock that was ahead.
  return generation > published ? generation : published + 1 + Math.floor(Math.random() * WITHIN_A_MINUTE);
}

/** Whether the run that makes it has ended, however it did. */
export function isRunOver(generation: number, now: Instant): boolean {
  return Math.floor(generation / WITHIN_A_MINUTE) * MINUTE < now - LONGEST_RUN;
}
