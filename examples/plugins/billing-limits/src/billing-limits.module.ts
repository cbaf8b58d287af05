import { type DynamicModule, Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { BillingLimitsOptions } from './billing-limits.options.js';
import { LimitsBeforeChanges } from './limits-before-changes.js';
import { LimitsClient } from './limits-client.js';
import { TenantLimits } from './tenant-limits.js';

/** Providers of the port; global, so that the service finds it when it creates the port. */
@Module({})
export class BillingLimitsModule {
  static register(options: BillingLimitsOptions): DynamicModule {
    return {
      module: BillingLimitsModule,
      global: true,
      providers: [{ provide: BillingLimitsOptions, useValue: options }, LimitsClient, TenantLimits],
      exports: [TenantLimits],
    };
  }
}

/** For the service alone: commands send no requests. */
@Module({ providers: [{ provide: APP_INTERCEPTOR, useClass: LimitsBeforeChanges }] })
export class BillingLimitsApiModule {}
