import { Module } from '@nestjs/common';
import { FlatQuotasController } from './v1/flat-quotas.controller.js';
import { QuotasController } from './admin/quotas.controller.js';
import { QuotasService } from './quotas.service.js';

/** The admin extension `quotas`: reads and changes the limits that `QuotaLimitsModule` enforces. */
@Module({ controllers: [QuotasController], providers: [QuotasService] })
export class QuotasModule {}

/** The version-1 extension `quotas`: the same in the form of the old client (behaviour 8.6). */
@Module({ controllers: [FlatQuotasController], providers: [QuotasService] })
export class FlatQuotasModule {}
