import type { Caller } from '../../common/caller.js';
import type { ChangeHook } from './change-hook.js';

/** Stands between changes and the hooks that plugins bring along: a change does not wait for them without end. */
export abstract class HookGuard {
  abstract around<Result>(hook: ChangeHook<Result>, caller: Caller): ChangeHook<Result>;
}

/** For a service without plugins. */
export class NoHookGuard extends HookGuard {
  override around<Result>(hook: ChangeHook<Result>): ChangeHook<Result> {
    return hook;
  }
}
