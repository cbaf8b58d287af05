import { Logger } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { ProgramLog } from '../observability/program-log.js';
import type { Composition } from './composition/composition.js';
import { pluginFolders, pluginIn } from './composition/plugin-folders.js';
import { startService } from './server.js';
import { endQuietlyWithParent, isWorker, startWorkers } from './workers/workers.js';
import type { AuthStrategy } from '../auth/auth.options.js';
import { packageVersion } from './package-version.js';
import { locateDatabase } from '../database/database-url.js';
import { parseServerList } from '../database/postgres/server-list.js';

interface Serving extends Whereabouts {
  stop(): Promise<void>;
}

/** In milliseconds, for final writes after the grace. */
const LAST_WRITES = 5000;

export async function serve(composition: Composition): Promise<void> {
  const { config } = composition;
  const logger = openLog(config);
  nameCulprits();
  endQuietlyWithParent();
  const say = isWorker() ? () => undefined : sayingFor(logger);
  const start = config.api.workers > 1 && !isWorker() ? startWorkers : startService;
  const serving: Serving = await start(composition, { logger });
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    say(`${signal}: finishing the requests in flight`);
    // Workers end by themselves.
    if (start === startService) endAfter(config.api.shutdownGrace * 1000 + LAST_WRITES);
    await serving.stop();
    say('stopped');
    process.exit(0);
  };
  // A second signal ends the process, but not a worker: that gets two, from systemd or a terminal and from its parent.
  const listen = isWorker() ? process.on.bind(process) : process.once.bind(process);
  // Before the announcement, after which others may signal this process.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) listen(signal, () => void stop(signal));
  if (composition.hasOtherPlugins && start === startService) await startWatchdog(config, logger.isJson);
  if (!isWorker()) announce(serving, config, logger);
}

/** Even if something blocks the stop: acknowledged changes are committed. */
function endAfter(milliseconds: number): void {
  const end = (): void => {
    new Logger('Zonewright').error(`the service has not stopped within ${milliseconds / 1000} s; it is ended now`);
    process.exit(1);
  };
  setTimeout(end, milliseconds);
}

export function openLog(config: Config): ProgramLog {
  const log = new ProgramLog({ ...config.log, secrets: secretsOf(config) });
  Logger.overrideLogger(log);
  return log;
}

/** Regardless of the log level. */
function sayingFor(log: ProgramLog): (words: string) => void {
  return log.isJson ? (words) => log.announce({ msg: words }) : console.log;
}

function announce(serving: Whereabouts, config: Config, log: ProgramLog): void {
  if (log.isJson) log.announce(bannerFieldsOf(serving, config));
  else console.log(bannerOf(serving, config));
}

/** Only external plugins may block the event loop. */
async function startWatchdog({ plugins }: Config, isJson: boolean): Promise<void> {
  const { Watchdog } = await import('../plugins/calls/watchdog.js');
  new Watchdog({ folders: pluginFolders(), limit: plugins.loopTimeLimit * 1000, isJson });
}

/** The log names the plugin that threw an uncaught error. */
function nameCulprits(): void {
  process.on('uncaughtExceptionMonitor', (error: Error) => {
    const plugin = pluginIn(error.stack);
    if (plugin === null) return;
    new Logger('Plugins').error(
      `plugin ${plugin} threw an error that nobody caught; the process ends: ${String(error.stack)}`,
    );
  });
}

export interface Whereabouts {
  readonly url: string;
  readonly dnsUrl: string | null;
  readonly metricsUrl: string | null;
  readonly firstToken: string | null;
  readonly firstTokenPath: string;
}

export function bannerOf(whereabouts: Whereabouts, config: Config): string {
  const { url, dnsUrl, metricsUrl } = whereabouts;
  const lines = [headline(url), `  API          ${url}/v1/domains`];
  if (config.api.docs) lines.push(`  Docs         ${url}/docs`);
  if (dnsUrl !== null) lines.push(`  DNS          ${dnsUrl}`);
  if (metricsUrl !== null) lines.push(`  Metrics      ${metricsUrl}`);
  const ofStrategies: Readonly<Record<AuthStrategy, () => string>> = {
    token: () => adminTokenLine(whereabouts, config),
    keystone: () => `  Tokens       of Keystone at ${config.keystone.authUrl ?? ''}`,
    jwt: () => `  Tokens       of the issuer ${config.jwt.issuer ?? ''}`,
    noauth: () => '  Admin token  not needed: auth_strategy = noauth',
  };
  return [...lines, ...config.api.authStrategies.map((strategy) => ofStrategies[strategy]())].join('\n');
}

/** Without the token: logs are collected, and its file is private. */
export function bannerFieldsOf(whereabouts: Whereabouts, { api, auth }: Config): Readonly<Record<string, string>> {
  const { url, dnsUrl, metricsUrl, firstToken, firstTokenPath } = whereabouts;
  const isOwnToken = api.authStrategies.includes('token') && auth.adminToken === null;
  const said: Readonly<Record<string, string | null>> = {
    msg: headline(url),
    url,
    docs: api.docs ? `${url}/docs` : null,
    dns: dnsUrl,
    metrics: metricsUrl,
    auth: api.authStrategies.join(', '),
    admin_token_file: isOwnToken || firstToken !== null ? firstTokenPath : null,
  };
  return Object.fromEntries(Object.entries(said).filter((field): field is [string, string] => field[1] !== null));
}

function headline(url: string): string {
  return `Zonewright ${packageVersion()} listens on ${url}`;
}

function adminTokenLine({ firstToken, firstTokenPath }: Whereabouts, { auth }: Config): string {
  if (firstToken !== null)
    return `  Admin token  ${firstToken}\n               shown only this time; kept in ${firstTokenPath}`;
  if (auth.adminToken !== null) return '  Admin token  [auth] admin_token of the configuration';
  return `  Admin token  made at the first start, kept in ${firstTokenPath}`;
}

/** Must never be shown. */
export function secretsOf({ auth, database, keystone, mdns }: Config): string[] {
  const secrets = [auth.adminToken, keystone.password, ...mdns.tsigKeys.map(({ secret }) => secret)];
  return [...secrets, ...[database.url, ...database.readUrls].flatMap(passwordsIn)].filter(
    (secret): secret is string => secret !== null && secret !== '',
  );
}

/** Both URL-encoded and decoded. */
function passwordsIn(url: string): string[] {
  if (locateDatabase(url).kind !== 'server') return [];
  const { password } = new URL(parseServerList(url).urlOfFirst);
  return [password, decoded(password)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
