import { CreateTables1763600000000 } from '../database/migrations/1763600000000-create-tables.js';
import { NameZones1763700000000 } from '../database/migrations/1763700000000-name-zones.js';
import { IndexDeletedRecords1763810000000 } from '../database/migrations/1763810000000-index-deleted-records.js';
import { FindFormerZones1763820000000 } from '../database/migrations/1763820000000-find-former-zones.js';
import { CreateLastSerials1763830000000 } from '../database/migrations/1763830000000-create-last-serials.js';
import { ShowZonesToVersionTwo1763860000000 } from '../database/migrations/1763860000000-show-zones-to-version-2.js';
import { CreateZoneShares1763863100000 } from '../database/migrations/1763863100000-create-zone-shares.js';
import { JournalEntity } from './journal/journal.entity.js';
import { LastSerialEntity } from './serials/last-serial.entity.js';
import { TenantEntity } from './tenant.entity.js';
import { TransferInEntity } from './masters/transfer-in.entity.js';
import { ZoneEntity } from './zone.entity.js';
import { ZoneShareEntity } from './sharing/zone-share.entity.js';

export const entities = [ZoneEntity, TenantEntity, JournalEntity, LastSerialEntity, TransferInEntity, ZoneShareEntity];

/** The first of them makes the tables of records and tokens too, that of shares what records have to do with them. */
export const migrations = [
  CreateTables1763600000000,
  NameZones1763700000000,
  IndexDeletedRecords1763810000000,
  FindFormerZones1763820000000,
  CreateLastSerials1763830000000,
  ShowZonesToVersionTwo1763860000000,
  CreateZoneShares1763863100000,
];
