import { Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { DatabaseReadiness } from './database-readiness.js';
import { HealthController } from './health.controller.js';

@Module({
  // Its log would have a stack for each time that somebody asks; ours has a line when the verdict changes.
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [HealthController],
  providers: [DatabaseReadiness],
})
export class HealthModule {}
