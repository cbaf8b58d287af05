import { NotePlugins1763884000000 } from '../database/migrations/1763884000000-note-plugins.js';
import { PluginEntity } from './plugin.entity.js';

export const entities = [PluginEntity];
export const migrations = [NotePlugins1763884000000];
