import { Module } from '@nestjs/common';
import { BlacklistsController } from './v2/blacklists.controller.js';
import { TldsController } from './v2/tlds.controller.js';
import { ZoneNamesCoreModule } from './zone-names-core.module.js';

/** The adapter of version 2. */
@Module({ imports: [ZoneNamesCoreModule], controllers: [TldsController, BlacklistsController] })
export class ZoneNamesModule {}
