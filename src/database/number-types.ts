import pg from 'pg';

const BIGINT = 20;

/** PostgreSQL's bigint as a number, which holds every integer of ours; pg's own reading is text. */
export const NUMBERS: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === BIGINT ? Number : pg.types.getTypeParser(oid, format as 'text'),
};
