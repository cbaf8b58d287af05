/** Record sets of one request. */
export const MOST_SETS = 200;
