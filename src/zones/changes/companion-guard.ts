import type { Caller } from '../../common/caller.js';
import type { ChangeCompanion } from './change-companion.js';

/** Stands between changes and the companions that plugins bring along: a change does not wait for them without end. */
export abstract class CompanionGuard {
  abstract around<Result>(companion: ChangeCompanion<Result>, caller: Caller): ChangeCompanion<Result>;
}

/** For a service without plugins. */
export class NoCompanionGuard extends CompanionGuard {
  override around<Result>(companion: ChangeCompanion<Result>): ChangeCompanion<Result> {
    return companion;
  }
}
