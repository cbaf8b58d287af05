import { RecordSetEntity } from './record-set.entity.js';
import { RecordEntity } from './record.entity.js';

/** The migrations of zones make these tables: what is in a zone changes with it. */
export const entities = [RecordEntity, RecordSetEntity];
export const migrations = [];
