import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app/app.module.js';
import { openConfiguredDatabase } from '../app/application.js';
import { NO_LIMITS } from '../app/limits.js';
import type { Config } from '../config/config.js';
import type { Services } from '../plugins/command.js';

/** Runs `work` inside the application's graph without listening; it may run while the service does. */
export async function withServices<T>(config: Config, work: (services: Services) => Promise<T>): Promise<T> {
  const database = await openConfiguredDatabase(config);
  try {
    const module = AppModule.register(config, database, { limits: NO_LIMITS });
    const context = await NestFactory.createApplicationContext(module, { logger: ['error'], abortOnError: false });
    return await work({ get: (type) => context.get(type, { strict: false }) });
  } finally {
    await database.close();
  }
}
