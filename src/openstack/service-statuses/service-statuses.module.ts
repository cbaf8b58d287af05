import { Module } from '@nestjs/common';
import { ServiceStatusesCoreModule } from './service-statuses-core.module.js';
import { ServiceStatusesService } from './service-statuses.service.js';
import { ServiceStatusesController } from './v2/service-statuses.controller.js';

@Module({
  imports: [ServiceStatusesCoreModule],
  controllers: [ServiceStatusesController],
  providers: [ServiceStatusesService],
})
export class ServiceStatusesModule {}
