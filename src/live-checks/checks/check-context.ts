import type { CheckedZone } from '../checked-zone.js';
import type { LiveChecksOptions } from '../live-checks.options.js';
import type { LiveFindings } from '../live-finding.js';
import { CheckEnded, type CheckQuestions } from '../questions/check-questions.js';

/** One check of one zone. */
export class CheckContext {
  isComplete = true;

  constructor(
    readonly zone: CheckedZone,
    readonly questions: CheckQuestions,
    readonly findings: LiveFindings,
    readonly options: LiveChecksOptions,
  ) {}

  /** Runs parts of the check together. `null`: the check ended before this part did. */
  all<T>(parts: readonly (() => Promise<T>)[]): Promise<(T | null)[]> {
    return Promise.all(parts.map((part) => this.run(part)));
  }

  private async run<T>(part: () => Promise<T>): Promise<T | null> {
    try {
      return await part();
    } catch (error) {
      if (!(error instanceof CheckEnded)) throw error;
      this.isComplete = false;
      return null;
    }
  }
}
