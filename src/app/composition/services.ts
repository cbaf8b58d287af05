import { NestFactory } from '@nestjs/core';
import type { Services } from '../../plugins/command.js';
import type { Composition, Core } from './composition.js';
import { CoreModule } from '../core.module.js';
import type { OpenDatabase } from '../../database/open-database.js';
import { openConfiguredDatabase, openConfiguredStandbys } from '../open-database.js';

/**
 * Runs `work` inside the services without listening and without limits; it may run while the service does.
 * @param of the plugins whose services are needed; all when none are given
 */
export async function withServices<T>(
  composition: Composition,
  work: (services: Services) => Promise<T>,
  of?: readonly string[],
): Promise<T> {
  return within(composition, await composition.services(of), work);
}

/** The same for work that is done for tenants: their limits hold. */
export async function withLimitedServices<T>(
  composition: Composition,
  work: (services: Services) => Promise<T>,
): Promise<T> {
  return within(composition, await composition.limitedServices(), work);
}

/** The same where the standbys are all that there is: nothing can be changed. */
export async function withServicesOnStandby<T>(
  composition: Composition,
  work: (services: Services) => Promise<T>,
): Promise<T> {
  return within(composition, await composition.limitedServices(), work, openConfiguredStandbys);
}

async function within<T>(
  composition: Composition,
  core: Core,
  work: (services: Services) => Promise<T>,
  open: (composition: Composition) => Promise<OpenDatabase> = openConfiguredDatabase,
): Promise<T> {
  const database = await open(composition);
  try {
    const module = CoreModule.register(database, core, composition.config);
    const context = await NestFactory.createApplicationContext(module, { logger: ['error'], abortOnError: false });
    return await work({ get: (type) => context.get(type, { strict: false }) });
  } finally {
    await database.close();
  }
}
