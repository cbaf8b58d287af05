import { availableParallelism } from 'node:os';

/** jest on native ES modules; see docs/adr for why swc and not ts-jest. */
const COMMON = {
  testEnvironment: '<rootDir>/test/support/environment.js',
  runtime: '<rootDir>/test/support/kept-runtime.cjs',
  extensionsToTreatAsEsm: ['.ts'],
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

/**
 * What `npm run test:all` runs and `npm test` does not: what takes a contributor's patience, or other programs than Node.js.
 * These folders, and in every other one the files that say so in their name. See test/README.md.
 */
const SLOW = '(?:/test/(?:abuse|chaos|crash|failover|interop|openstack|packaging)/|\\.slow\\.spec\\.ts$)';

/** About one database alone: these break a file on purpose, or have PostgreSQL stand still. */
const ABOUT_SQLITE = '/test/.*/sqlite-';
const ABOUT_POSTGRES = '/test/.*/postgres-';

/** What the service does with its data, whichever database has it. */
const BEHAVIOUR = [
  'auth',
  'console',
  'contract',
  'records',
  'zones',
  'quotas',
  'zone-files',
  'moves',
  'history',
  'audit',
  'http',
  'database',
  'operations',
  'crash',
  'abuse',
  'publishing',
  'powerdns',
  'external-dns',
  'change-listeners',
  'events',
  'v2',
  'webhooks',
  'dnssec',
  'dynamic-update',
  'aliases',
  'live-checks',
  'templates',
  'reverse',
];

/** In the folders above: sockets, headers, words and other servers, which find the same whichever database is behind. */
const ON_SQLITE_ONLY = [
  '/test/auth/(?!scoped-tokens(?:-made)?\\.)',
  '/test/(?:audit|history)/command-line',
  '/test/console/console',
  '/test/live-checks/(?!schedule)',
  '/test/dnssec/(?:four-servers|moved-keys|names-in-data|other-operators|random-changes|validating-resolver)',
  '/test/moves/(?:domain-reads|named)',
  '/test/dynamic-update/(?:beside-named|command-line|kea|log|messages|questions)',
  '/test/database/(?!postgres-|journal|group-commit)',
  '/test/operations/(?:health|hanging-ports)',
  '/test/http/(?!bodies|conditions|idempotency-keys|lists|sent-back|wide-lists)',
  '/test/publishing/(?:copy-space|example|figures|four-servers|keys|lag-log|name-server|notify|pool-sync|signed-zones|streams|tls)',
  '/test/powerdns/(?:clients|import|interface|lego)',
  '/test/quotas/extension',
  '/test/v2/(?:hostile-masters|master-ends|slow-masters)',
  '/test/webhooks/(?:fairness|rate|socket-ends|targets)',
  '/test/zone-files/(?:comparison-memory|folder-mistakes|folder-workflows|hostile-files|supported-types)',
  '/test/abuse/(?:documents|refusals|public-suffixes|owner-names)',
];

/**
 * What these find on PostgreSQL beside SQLite has a shorter suite there: `postgres-*`, or those that stay. They run on both
 * when they are named with a database, by `npm run test:long`, and by the scripts of their own.
 */
const SELDOM_ON_POSTGRES = [
  '/test/abuse/(?!postgres-|searches)',
  '/test/aliases/(?:at-rest|four-servers|hostile|killed)',
  '/test/auth/scoped-tokens(?:-made)?\\.',
  '/test/change-listeners/killed',
  '/test/contract/',
  '/test/dnssec/(?:command-line|found-while-signed|hosted-parents|signed-transfers|two-signers)',
  '/test/events/(?:publication|shared-streams|stream)',
  '/test/history/long-records',
  '/test/http/(?:bodies|wide-lists)',
  '/test/operations/(?:counter-check|hanging-work|metrics|schema|serial-raising|upgrade)',
  '/test/publishing/(?!postgres-)',
  '/test/quotas/(?:change-rate|limits-of-plugins)',
  '/test/records/(?:attack-cases|expiring|large-domain|record-data|record-fields|record-placement|record-properties|record-races)',
  '/test/v2/(?:floating-ips|identity|killed-imports|masters|record-set-(?:attacks|properties)|requests|ttl-of-zero|zone-imports|zone-name-rules|zones-secondary)',
  '/test/webhooks/(?:deliveries|killed|queue-size)',
  '/test/zone-files/(?:command-line|export-(?:bounds|stream)|file-comparison|folder-owners|folders|import-(?:bounds|faults)|killed-import|large-replacements)',
  '/test/zone-files/(?:check|running-service|unreadable-records)',
  '/test/zones/(?:domain-races|label-command)',
];

/** What only `npm run test:long` runs. A shorter suite of `test:rest` tests the same rules. */
const LONG = [
  '/test/auth/(?:jwt|keystone)-trouble',
  '/test/console/console-accessibility',
  '/test/dnssec/(?:hosted-parents|large-domains|moved-keys|parent-servers|sqlite-restored-rollover|validating-resolver)',
  '/test/failover/reading-standbys',
  '/test/moves/domain-reads',
  '/test/operations/(?:postgres|sqlite)-trouble',
  '/test/packaging/(?:debian-package|image)',
  '/test/publishing/(?:answers|many-zones|processes)',
  '/test/zone-files/(?:comparison-memory|folder-mistakes|folder-of-500-zones|folder-owner-sets|folder-round-trip|large-reverts)',
];

const NOTHING = ['.'];
const all = (...patterns) => `^${patterns.map((pattern) => `(?=.*${pattern})`).join('')}`;
const not = (pattern) => `^(?!.*${pattern})`;

/** What each run leaves out; `npm test` and `test:rest` are everything of `test:all`, and nothing twice. */
const LEFT_OUT = {
  short: { sqlite: [SLOW], postgres: [SLOW, not(ABOUT_POSTGRES)] },
  rest: {
    sqlite: [not(SLOW), ...LONG],
    postgres: [`${all(ABOUT_POSTGRES)}(?!.*${SLOW})`, ...LONG, ...SELDOM_ON_POSTGRES],
  },
  all: { sqlite: LONG, postgres: [...LONG, ...SELDOM_ON_POSTGRES] },
  long: { sqlite: [], postgres: [] },
  // Files that were named with a database.
  chosen: { sqlite: [], postgres: [] },
  // Files that were named without a database.
  named: { sqlite: [], postgres: [not(ABOUT_POSTGRES)] },
  watch: { sqlite: ['/test/', SLOW], postgres: NOTHING },
}[process.env.ZONEWRIGHT_TESTS ?? 'all'];

/** @type {import('jest').Config} */
export default {
  projects: [
    {
      ...COMMON,
      displayName: 'sqlite',
      roots: ['<rootDir>/src', '<rootDir>/console', '<rootDir>/test'],
      testMatch: ['**/*.spec.ts'],
      testPathIgnorePatterns: ['/node_modules/', ABOUT_POSTGRES, ...LEFT_OUT.sqlite],
    },
    {
      ...COMMON,
      displayName: 'postgres',
      roots: BEHAVIOUR.map((folder) => `<rootDir>/test/${folder}`),
      testMatch: ['**/*.spec.ts'],
      testPathIgnorePatterns: ['/node_modules/', ABOUT_SQLITE, ...ON_SQLITE_ONLY, ...LEFT_OUT.postgres],
      globalSetup: '<rootDir>/test/support/postgres/global-setup.js',
      globalTeardown: '<rootDir>/test/support/postgres/global-teardown.js',
      setupFiles: ['<rootDir>/test/support/postgres/environment.js'],
    },
  ],
  reporters: ['default', '<rootDir>/test/support/summary-reporter.js'],
  // A fifth of the time of two cores is waiting for servers and for times to be over, so they bear three; half of a larger
  // machine.
  maxWorkers: Math.max(3, Math.floor(availableParallelism() / 2)),
  // Some of what a finished test file has loaded stays in memory: a worker that has grown is replaced, and loads all anew.
  workerIdleMemoryLimit: '1GB',
  // Half a second, as it is without this, is less than a large process takes to end on a busy machine. Servers and processes that a
  // test has left are found nevertheless.
  workerGracefulExitTimeout: 10_000,
  // No test may fail because the machine has other work: what is asked for comes, or it never does.
  testTimeout: 120_000,
};
