import { Logger } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { secretsOf } from './config-secrets.js';
import { ProgramLog } from '../observability/program-log.js';
import { bannerFieldsOf, bannerOf, type Whereabouts } from './banner.js';
import type { Composition } from './composition/composition.js';
import { pluginFolders, pluginIn } from './composition/plugin-folders.js';
import { startService } from './server.js';
import { endQuietlyWithParent, isWorker, startWorkers } from './workers/workers.js';

/** What says where it is, and can be stopped: one process that listens, or several that share a port. */
interface Serving extends Whereabouts {
  stop(): Promise<void>;
}

/** What is written down behind the grace takes less, in milliseconds. */
const LAST_WRITES = 5000;

/** Starts the service, says where things are, and stops it on SIGINT or SIGTERM. */
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
  if (composition.hasOtherPlugins && start === startService) await startWatchdog(config, logger.isJson);
  if (!isWorker()) announce(serving, config, logger);
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

/** What a program says whatever the level of its log. The process that has started a worker speaks for it. */
function sayingFor(log: ProgramLog): (words: string) => void {
  return log.isJson ? (words) => log.announce({ msg: words }) : console.log;
}

function announce(serving: Whereabouts, config: Config, log: ProgramLog): void {
  if (log.isJson) log.announce(bannerFieldsOf(serving, config));
  else console.log(bannerOf(serving, config));
}

/** Our own code never holds the event loop for long; that of others nobody can vouch for. */
async function startWatchdog({ plugins }: Config, isJson: boolean): Promise<void> {
  const { Watchdog } = await import('../plugins/calls/watchdog.js');
  new Watchdog({ folders: pluginFolders(), limit: plugins.loopTimeLimit * 1000, isJson });
}

/** What nobody has caught ends the process: the log says whose it was. */
function nameCulprits(): void {
  process.on('uncaughtExceptionMonitor', (error: Error) => {
    const plugin = pluginIn(error.stack);
    if (plugin === null) return;
    new Logger('Plugins').error(
      `plugin ${plugin} threw an error that nobody caught; the process ends: ${String(error.stack)}`,
    );
  });
}
