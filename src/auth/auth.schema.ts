import { TokenEntity } from './token.entity.js';

/** The table of tokens is older than features: the migration of zones makes it. */
export const entities = [TokenEntity];
export const migrations = [];
