import { NoteSerialsOfRecordSets1763861000000 } from '../database/migrations/1763861000000-note-serials-of-record-sets.js';
import { ExpireRecords1763881000000 } from '../database/migrations/1763881000000-expire-records.js';
import { RecordSetCreatorEntity } from './record-set-creator.entity.js';
import { RecordSetEntity } from './record-set.entity.js';
import { RecordEntity } from './record.entity.js';

/** The first migrations of zones make these tables: what is in a zone changes with it. */
export const entities = [RecordEntity, RecordSetEntity, RecordSetCreatorEntity];
export const migrations = [NoteSerialsOfRecordSets1763861000000, ExpireRecords1763881000000];
