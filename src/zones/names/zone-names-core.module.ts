import { Module } from '@nestjs/common';
import { BlacklistRepository } from './blacklist.repository.js';
import { BlacklistsService } from './blacklists.service.js';
import { TldRepository } from './tld.repository.js';
import { TldsService } from './tlds.service.js';
import { ZoneNameRulesRepository } from './zone-name-rules.repository.js';

/** TLDs and blacklists, for whoever manages them and whoever judges by them. */
@Module({
  providers: [ZoneNameRulesRepository, TldRepository, TldsService, BlacklistRepository, BlacklistsService],
  exports: [ZoneNameRulesRepository, TldsService, BlacklistsService],
})
export class ZoneNamesCoreModule {}
