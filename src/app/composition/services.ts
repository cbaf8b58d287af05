import { NestFactory } from '@nestjs/core';
import { limitHeapGrowth } from '../../common/request-memory.js';
import type { Services } from '../../plugins/command.js';
import type { Composition, Core } from './composition.js';
import { CoreModule } from '../core.module.js';
import type { OpenDatabase } from '../../database/open-database.js';
import { openConfiguredDatabase, openConfiguredStandbys } from '../open-database.js';

/** Without limits; may run in parallel with the service. @param of plugins whose services are needed; all by default */
export async function withServices<T>(
  composition: Composition,
  work: (services: Services) => Promise<T>,
  of?: readonly string[],
): Promise<T> {
  limitHeapGrowth('command');
  return within(composition, await composition.services(of), work);
}

/** With limits, for work on behalf of tenants. */
export async function withLimitedServices<T>(
  composition: Composition,
  work: (services: Services) => Promise<T>,
): Promise<T> {
  limitHeapGrowth('service');
  return within(composition, await composition.limitedServices(), work);
}

/** Read-only. */
export async function withServicesOnStandby<T>(
  composition: Composition,
  work: (services: Services) => Promise<T>,
): Promise<T> {
  limitHeapGrowth('service');
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
