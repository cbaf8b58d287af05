import { Module } from '@nestjs/common';
import { DomainsController } from './v1/domains.controller.js';

/** The adapters of zones. */
@Module({ controllers: [DomainsController] })
export class ZonesModule {}
