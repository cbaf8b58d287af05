import { Module } from '@nestjs/common';
import { AuditController } from './admin/audit.controller.js';
import { AuditRequestPipe } from './admin/pipes/audit-request.pipe.js';
import { AuditCleanup } from './audit-cleanup.js';

/** The admin extension `audit`. */
@Module({ controllers: [AuditController], providers: [AuditRequestPipe] })
export class AuditModule {}

/** What the service does for it, whether or not it is shown. */
@Module({ providers: [AuditCleanup] })
export class AuditUpkeepModule {}
