import { parseArgs } from 'node:util';
import { keepCompiledCode } from './config/compile-cache.js';

keepCompiledCode();

/** `npm start`: read the configuration once, then serve. Whatever prevents that is one line and exit code 1. */
async function main(): Promise<void> {
  const [{ composeConfigured }, { serve }] = [
    await import('./app/composition/compose.js'),
    await import('./app/serve.js'),
  ];
  const { values } = parseArgs({ options: { 'config-file': { type: 'string' } } });
  await serve(await composeConfigured([], { configFile: values['config-file'] }));
}

main().catch((error: unknown) => {
  console.error(`zonewright: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});
