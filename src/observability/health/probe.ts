import { setTimeout as delay } from 'node:timers/promises';
import { causeOf } from '../../common/cause.js';

/** A probe that takes longer, in milliseconds, is not waited for: the verdict of the one before it counts. */
const TIME_LIMIT = 500;

/**
 * Asks whether something is well. However many want to know, it is asked once at a time; what takes long says nothing yet.
 */
export class Probe {
  private inFlight: Promise<boolean> | null = null;
  private isWell = true;

  /**
   * @param assertWell throws what is wrong
   * @param tell is given what is wrong, or `null` where nothing is, whenever the verdict changes
   */
  constructor(
    private readonly assertWell: () => Promise<void>,
    private readonly tell: (problem: string | null) => void,
  ) {}

  /** All is well until it was asked for the first time. */
  get lastVerdict(): boolean {
    return this.isWell;
  }

  async verdict(): Promise<boolean> {
    this.inFlight ??= this.run();
    const last = delay(TIME_LIMIT, undefined, { ref: false }).then(() => this.isWell);
    return Promise.race([this.inFlight, last]);
  }

  private async run(): Promise<boolean> {
    const problem = await this.problem();
    const isWell = problem === null;
    if (this.isWell !== isWell) this.tell(problem);
    this.isWell = isWell;
    this.inFlight = null;
    return isWell;
  }

  private async problem(): Promise<string | null> {
    try {
      await this.assertWell();
      return null;
    } catch (error) {
      return causeOf(error);
    }
  }
}
