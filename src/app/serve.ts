import { Logger } from '@nestjs/common';
import type { AuthStrategy, Config } from '../config/config.js';
import { secretsOf } from '../config/secrets.js';
import { ProgramLog } from '../logging/program-log.js';
import type { Composition } from './composition.js';
import { packageVersion } from './package-version.js';
import { startService } from './server.js';
import { isWorker, startWorkers } from './workers.js';

/** What says where it is, and can be stopped: one process that listens, or several that share a port. */
interface Serving {
  readonly url: string;
  readonly dnsUrl: string | null;
  readonly metricsUrl: string | null;
  readonly firstToken: string | null;
  readonly firstTokenPath: string;
  stop(): Promise<void>;
}

/** What is written down behind the grace takes less, in milliseconds. */
const LAST_WRITES = 5000;

/** Starts the service, says where things are, and stops it on SIGINT or SIGTERM. */
export async function serve(composition: Composition): Promise<void> {
  const { config } = composition;
  // The process that has started a worker speaks for it.
  const say = isWorker() ? () => undefined : console.log;
  const logger = openLog(config);
  const start = config.api.workers > 1 && !isWorker() ? startWorkers : startService;
  const serving = await start(composition, { logger });
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    say(`${signal}: finishing the requests in flight`);
    // Workers end by themselves, and are waited for.
    if (start === startService) endAfter(config.api.shutdownGrace * 1000 + LAST_WRITES);
    await serving.stop();
    say('stopped');
    process.exit(0);
  };
  // The second signal ends a process at once. A worker is told twice as a rule, by systemd or a terminal and by the
  // process that has started it: it ends at once with that one.
  const listen = isWorker() ? process.on.bind(process) : process.once.bind(process);
  // Before anybody is told that the service is there and may end it.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) listen(signal, () => void stop(signal));
  say(describe(serving, config));
}

/** Whatever does not let the service stop is left behind: what was acknowledged is committed. */
function endAfter(milliseconds: number): void {
  const end = (): void => {
    new Logger('Zonewright').error(`the service has not stopped within ${milliseconds / 1000} s; it is ended now`);
    process.exit(1);
  };
  setTimeout(end, milliseconds);
}

/** The log of a program that serves, which takes what is said from here on. */
export function openLog(config: Config): ProgramLog {
  const log = new ProgramLog({ ...config.log, secrets: secretsOf(config) });
  Logger.overrideLogger(log);
  return log;
}

function describe(
  { url, dnsUrl, metricsUrl, firstToken, firstTokenPath }: Serving,
  { api, auth, keystone, jwt }: Config,
): string {
  const lines = [`Zonewright ${packageVersion()} listens on ${url}`, `  API          ${url}/v1/domains`];
  if (api.docs) lines.push(`  Docs         ${url}/docs`);
  if (dnsUrl !== null) lines.push(`  DNS          ${dnsUrl}`);
  if (metricsUrl !== null) lines.push(`  Metrics      ${metricsUrl}`);
  const ofStrategies: Readonly<Record<AuthStrategy, () => string>> = {
    token: () => adminTokenLine(firstToken, firstTokenPath, auth.adminToken !== null),
    keystone: () => `  Tokens       of Keystone at ${keystone.authUrl ?? ''}`,
    jwt: () => `  Tokens       of the issuer ${jwt.issuer ?? ''}`,
    noauth: () => '  Admin token  none is needed: auth_strategy = noauth',
  };
  return [...lines, ...api.authStrategies.map((strategy) => ofStrategies[strategy]())].join('\n');
}

function adminTokenLine(firstToken: string | null, path: string, isConfigured: boolean): string {
  if (firstToken !== null) return `  Admin token  ${firstToken}\n               shown this once, kept in ${path}`;
  if (isConfigured) return '  Admin token  [auth] admin_token of the configuration';
  return `  Admin token  made at the first start, kept in ${path}`;
}
