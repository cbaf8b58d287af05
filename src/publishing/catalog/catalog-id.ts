/** Stands for the catalog zone where a zone has an id. */
export const CATALOG_ID = 'catalog';
