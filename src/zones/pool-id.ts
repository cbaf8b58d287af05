/** Of the one pool, which the configuration describes: the id that the original gives to its default pool. */
export const POOL_ID = '794ccc2c-d751-44fe-b57f-8894c9f5c842';
