/** Stands in `publications` for whatever a server lacks, where it gives no answer at all. */
export const SERVER_ID = 'server';
