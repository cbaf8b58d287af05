import { Module } from '@nestjs/common';
import { Heartbeat } from './heartbeat.js';
import { ServiceStatusRepository } from './service-status.repository.js';

/** The heartbeat, for programs that run on, and what it leaves. */
@Module({
  providers: [Heartbeat, ServiceStatusRepository],
  exports: [Heartbeat, ServiceStatusRepository],
})
export class ServiceStatusesCoreModule {}
