/** Every service that a test of this run starts keeps its data in PostgreSQL. */
process.env.ZONEWRIGHT_TEST_DATABASE = 'postgres';
