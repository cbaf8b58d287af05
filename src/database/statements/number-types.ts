import pg from 'pg';

/** PostgreSQL's bigint as a number, which holds every integer of ours; pg's own reading is text. */
export const NUMBERS = new pg.TypeOverrides();
NUMBERS.setTypeParser(pg.types.builtins.INT8, Number);
