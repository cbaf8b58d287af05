import { once } from 'node:events';
import { Logger } from '@nestjs/common';
import { BackgroundWork } from '../../app/background-work.js';
import {
  type RunningMetrics,
  startMetrics,
  type RunningNameServer,
  startNameServer,
  startNameServerOnStandby,
} from '../../app/listening.js';
import { packageVersion } from '../../app/package-version.js';
import { openLog } from '../../app/serve.js';
import { withLimitedServices, withServicesOnStandby } from '../../app/composition/services.js';
import { Scheduler } from '../../background/scheduler.js';
import type { Config } from '../../config/config.js';
import { Heartbeat, NAME_SERVER_SERVICES } from '../../openstack/service-statuses/heartbeat.js';
import type { Services } from '../../plugins/command.js';
import type { ProgramContext } from '../program-context.js';

/**
 * Runs the name server until SIGINT or SIGTERM, even if `enabled` is off.
 * @param onStandby reads standbys only, and never writes
 */
export async function answerNameServers({ composition }: ProgramContext, onStandby: boolean): Promise<void> {
  const { config } = composition;
  const { secondaries, allowTransfer, updates } = config.mdns;
  if (secondaries.length === 0 && allowTransfer.length === 0 && !updates)
    throw new Error('no name server may send queries: set [service:mdns] secondaries, allow_transfer or updates');
  const withServicesOf = onStandby ? withServicesOnStandby : withLimitedServices;
  await withServicesOf(composition, async (services) => {
    // Commands log errors only; a server logs normally.
    openLog(config);
    const server = await (onStandby ? startOnStandby : start)(services, config);
    const metrics = await metricsUnlessTaken(config);
    const asked = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
    console.log(`Zonewright ${packageVersion()} listens on ${server.url}`);
    if (metrics !== null) console.log(`  Metrics      ${metrics.url}`);
    await asked;
    console.log('finishing the transfers under way');
    await services.get(Scheduler).stop(config.api.shutdownGrace * 1000);
    await server.stop();
    metrics?.stop();
  });
  console.log('stopped');
  process.exit(0);
}

async function start(services: Services, config: Config): Promise<RunningNameServer> {
  const server = await startNameServer(services, config);
  services.get(Heartbeat).startFor(NAME_SERVER_SERVICES);
  services.get(BackgroundWork).start();
  return server;
}

async function startOnStandby(services: Services, config: Config): Promise<RunningNameServer> {
  const server = await startNameServerOnStandby(services, config);
  services.get(BackgroundWork).start('read-only');
  return server;
}

/** A service with the same configuration may use the port: run without metrics. */
async function metricsUnlessTaken(config: Config): Promise<RunningMetrics | null> {
  try {
    return await startMetrics(config);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    new Logger('Metrics').warn(`metrics are not served: ${reason}`);
    return null;
  }
}
