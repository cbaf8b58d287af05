import { CreateAdministration1763864000000 } from '../../database/migrations/1763864000000-create-administration.js';
import { BlacklistEntity } from './blacklist.entity.js';
import { TldEntity } from './tld.entity.js';
import { ZoneNameRulesEntity } from './zone-name-rules.entity.js';

export const entities = [TldEntity, BlacklistEntity, ZoneNameRulesEntity];

/** It makes the tables of TSIG keys, pools and service statuses too. */
export const migrations = [CreateAdministration1763864000000];
