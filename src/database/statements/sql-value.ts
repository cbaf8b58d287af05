export type SqlValue = string | number | null;

/** What PostgreSQL has to be told of a value that comes in an array. */
export type SqlType = 'text' | 'integer' | 'bigint';
