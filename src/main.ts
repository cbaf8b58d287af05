import { parseArgs } from 'node:util';
import { composeConfigured } from './app/composition/compose.js';
import { serve } from './app/serve.js';

/** `npm start`: read the configuration once, then serve. Whatever prevents that is one line and exit code 1. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { 'config-file': { type: 'string' } } });
  await serve(await composeConfigured([], { configFile: values['config-file'] }));
}

main().catch((error: unknown) => {
  console.error(`zonewright: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});
