import { type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app/app.module.js';
import { openConfiguredDatabase } from '../app/application.js';
import { loadConfig } from '../config/load-config.js';
import { NO_LIMITS } from '../app/limits.js';
import type { Config } from '../config/config.js';

/** What every command takes. */
export interface CommonOptions {
  readonly configFile?: string;
}

export function configOf({ configFile }: CommonOptions): Config {
  return loadConfig({ configFile, env: process.env });
}

/** Runs `work` inside the application's graph without listening; it may run while the service does. */
export async function withApplication<T>(
  options: CommonOptions,
  work: (context: INestApplicationContext) => Promise<T>,
): Promise<T> {
  const config = configOf(options);
  const database = await openConfiguredDatabase(config);
  try {
    const module = AppModule.register(config, database, { limits: NO_LIMITS });
    const context = await NestFactory.createApplicationContext(module, { logger: ['error'], abortOnError: false });
    return await work(context);
  } finally {
    await database.close();
  }
}
