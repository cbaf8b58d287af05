#!/usr/bin/env node
import { CommandFactory } from 'nest-commander';
import { CliModule } from './cli.module.js';

await CommandFactory.run(CliModule, {
  logger: ['error'],
  cliName: 'zonewright',
  usePlugins: false,
  serviceErrorHandler: fail,
  errorHandler: (error) => {
    // commander has printed its own message, or the help that was asked for.
    process.exit((error as { readonly exitCode?: number }).exitCode ?? 1);
  },
}).catch(fail);

function fail(error: unknown): never {
  console.error(`zonewright: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
