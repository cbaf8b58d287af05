import type { ConfigError } from './config-error.js';
import type { Option } from './option.js';

/** A rule about several options. The message names the one that is easiest to change, which may not be set at all. */
export interface Rule<Values> {
  readonly option: Option<unknown>;
  readonly isBroken: (values: Values) => boolean;
  readonly reason: string;
}

/** Makes the one line that refuses what an option is set to, with the place where it is. */
export type Refusal = (option: Option<unknown>, reason: string) => ConfigError;

/** @throws the error that `refusal` makes for the first rule that is broken */
export function assertRules<Values>(rules: readonly Rule<Values>[], values: Values, refusal: Refusal): void {
  const broken = rules.find(({ isBroken }) => isBroken(values));
  if (broken !== undefined) throw refusal(broken.option, broken.reason);
}
