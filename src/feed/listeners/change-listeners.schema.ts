import { CreateListeners1763885000000 } from '../../database/migrations/1763885000000-create-listeners.js';
import { ListenerProcessEntity } from './listener-process.entity.js';
import { ListenerEntity } from './listener.entity.js';
import { ListenerPositionEntity } from './listener-position.entity.js';
import { ShardEntity } from './shard.entity.js';

export const entities = [ListenerEntity, ListenerPositionEntity, ListenerProcessEntity, ShardEntity];

export const migrations = [CreateListeners1763885000000];
