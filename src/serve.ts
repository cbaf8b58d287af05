import type { Config } from './config/config.js';
import { packageVersion } from './package-version.js';
import { type RunningService, startService } from './server.js';

/** Starts the service, says where things are, and stops it on SIGINT or SIGTERM. */
export async function serve(config: Config): Promise<void> {
  const service = await startService(config);
  // Before anybody is told that the service is there and may end it.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop(service, signal));
  console.log(describe(service, config));
}

function describe({ url, firstToken, firstTokenPath }: RunningService, { api, auth }: Config): string {
  const lines = [`Zonewright ${packageVersion()} listens on ${url}`, `  API          ${url}/v1/domains`];
  if (api.docs) lines.push(`  Docs         ${url}/docs`);
  if (firstToken !== null)
    lines.push(`  Admin token  ${firstToken}`, `               shown this once, kept in ${firstTokenPath}`);
  else if (api.authStrategy === 'noauth') lines.push('  Admin token  none is needed: auth_strategy = noauth');
  else if (auth.adminToken !== null) lines.push('  Admin token  [auth] admin_token of the configuration');
  else lines.push(`  Admin token  made at the first start, kept in ${firstTokenPath}`);
  return lines.join('\n');
}

async function stop(service: RunningService, signal: NodeJS.Signals): Promise<void> {
  console.log(`${signal}: finishing the requests in flight`);
  await service.stop();
  console.log('stopped');
  process.exit(0);
}
