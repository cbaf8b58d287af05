import { compose } from '../app/composition/compose.js';
import type { Composition } from '../app/composition/composition.js';
import type { CommandContext } from '../plugins/command.js';
import type { ZonewrightPlugin } from '../plugins/plugin.js';

export interface ProgramContext extends CommandContext {
  readonly composition: Composition;
  readonly plugins: readonly ZonewrightPlugin[];
}

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
