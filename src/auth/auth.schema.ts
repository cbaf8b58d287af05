import { NarrowTokens1763870000000 } from '../database/migrations/1763870000000-narrow-tokens.js';
import { OrderTokens1763894000000 } from '../database/migrations/1763894000000-order-tokens.js';
import { TokenEntity } from './tokens/token.entity.js';

/** The table of tokens is older than features: the migration of zones makes it. */
export const entities = [TokenEntity];
export const migrations = [NarrowTokens1763870000000, OrderTokens1763894000000];
