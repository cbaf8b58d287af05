import { availableParallelism } from 'node:os';

/** jest on native ES modules; see docs/adr for why swc and not ts-jest. */
const COMMON = {
  testEnvironment: '<rootDir>/test/support/environment.js',
  extensionsToTreatAsEsm: ['.ts'],
  setupFilesAfterEnv: ['<rootDir>/test/support/second-try.js'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
          target: 'es2022',
          keepClassNames: true,
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
};

/** What the service does with its data, whichever database has it. */
const BEHAVIOUR = [
  'auth',
  'contract',
  'records',
  'zones',
  'quotas',
  'zone-files',
  'history',
  'audit',
  'http',
  'database',
  'operations',
  'crash',
  'abuse',
  'publishing',
  'change-listeners',
  'events',
  'v2',
  'webhooks',
];

/** How readers and name servers are attacked hardly touches the database: on PostgreSQL that is for `npm run test:abuse`. */
const ATTACKS_ELSEWHERE = process.env.ZONEWRIGHT_ABUSE === 'long' ? [] : ['/test/abuse/(readers|name-server)'];

/** @type {import('jest').Config} */
export default {
  projects: [
    {
      ...COMMON,
      displayName: 'sqlite',
      roots: ['<rootDir>/src', '<rootDir>/test'],
      testMatch: ['**/*.spec.ts'],
      testPathIgnorePatterns: ['/node_modules/', '/test/(abuse|database|operations|publishing|webhooks)/postgres-'],
    },
    {
      ...COMMON,
      displayName: 'postgres',
      roots: BEHAVIOUR.map((folder) => `<rootDir>/test/${folder}`),
      testMatch: ['**/*.spec.ts'],
      // These break a SQLite file on purpose, or concern no data.
      testPathIgnorePatterns: [
        '/node_modules/',
        '/test/auth/(?!narrow-tokens)',
        '/test/database/(?!postgres-|journal|group-commit|name-zones)',
        '/test/operations/(sqlite-|health)',
        '/test/http/(errors|exhaustion|turns)',
        '/test/publishing/(four-servers|keys|example|name-server|signed-zones)',
        '/test/abuse/(sqlite-|documents|refusals|public-suffixes|owner-names)',
        ...ATTACKS_ELSEWHERE,
      ],
      globalSetup: '<rootDir>/test/support/postgres/global-setup.js',
      globalTeardown: '<rootDir>/test/support/postgres/global-teardown.js',
      setupFiles: ['<rootDir>/test/support/postgres/environment.js'],
    },
  ],
  reporters: ['default', '<rootDir>/test/support/summary-reporter.js'],
  // A fifth of the time of two cores is waiting for servers and for times to be over, so they bear three; half of a larger
  // machine.
  maxWorkers: Math.max(3, Math.floor(availableParallelism() / 2)),
  // The vm modules of a finished test file stay in memory: a worker that has grown is replaced.
  workerIdleMemoryLimit: '512MB',
  // No test may fail because the machine has other work: what is asked for comes, or it never does.
  testTimeout: 120_000,
};
