import { CreateZoneTasks1763862000000 } from '../database/migrations/1763862000000-create-zone-tasks.js';
import { ZoneTaskEntity } from './tasks/zone-task.entity.js';

export const entities = [ZoneTaskEntity];
export const migrations = [CreateZoneTasks1763862000000];
