import { Module } from '@nestjs/common';
import { ReportsController } from './reports.controller.js';

/** The admin extension `reports`. */
@Module({ controllers: [ReportsController] })
export class ReportsModule {}
