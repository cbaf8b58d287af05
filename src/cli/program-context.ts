import { compose } from '../app/composition/compose.js';
import type { Composition } from '../app/composition/composition.js';
import type { CommandContext } from '../plugins/command.js';
import type { ZonewrightPlugin } from '../plugins/plugin.js';

/** What our own commands have beside what plugins' have. */
export interface ProgramContext extends CommandContext {
  readonly composition: Composition;
  /** Those of other teams. */
  readonly plugins: readonly ZonewrightPlugin[];
}

/** @throws ConfigError */
export function contextOf(plugins: readonly ZonewrightPlugin[], configFile: string | undefined): ProgramContext {
  const composition = compose(plugins, { configFile });
  return {
    composition,
    plugins,
    config: composition.config,
    withServices: async (work, of) =>
      (await import('../app/composition/services.js')).withServices(composition, work, of),
  };
}
