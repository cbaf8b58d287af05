import { loadConfig } from '../config/load-config.js';
import type { CommandContext } from '../plugins/command.js';

/** What our own commands have beside what plugins' have. */
export type ProgramContext = CommandContext;

/** @throws ConfigError */
export function contextOf(configFile: string | undefined): ProgramContext {
  const config = loadConfig({ configFile, env: process.env });
  return {
    config,
    withServices: async (work) => (await import('./with-services.js')).withServices(config, work),
  };
}
