import { Module } from '@nestjs/common';
import { UsageCheckRepository } from './usage-check.repository.js';
import { UsageCheckService } from './usage-check.service.js';

/** Whether the sums of queues are right, which is asked also where webhooks are off. */
@Module({ providers: [UsageCheckRepository, UsageCheckService], exports: [UsageCheckService] })
export class UsageCheckModule {}
