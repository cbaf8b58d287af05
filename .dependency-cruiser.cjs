/**
 * Allowed imports between folders of src (docs/architecture/imports.md). Every folder needs an entry. A nested folder with
 * an entry follows only its own. src/*.ts, src/app, src/cli and src/testing may import every folder.
 */
const DIRECTIONS = {
  dns: [],
  common: [],
  // Metric and log primitives, for all folders.
  observability: ['config'],
  config: ['common'],
  // Plugin declarations, which features import. They import no feature.
  plugins: ['config', 'background', 'database', 'dns', 'observability', /^src\/common\/clock\.ts$/],
  // Time limits of calls into plugins, and the watchdog.
  'plugins/calls': ['common', 'database', 'observability'],
  database: ['common', 'config', 'observability'],
  background: ['common', 'database', 'observability'],
  http: ['common', 'config', 'observability'],
  'http/idempotency-keys': ['plugins', 'common', 'config', 'http', 'database', 'background'],
  auth: ['plugins', 'common', 'config', 'dns', 'http', 'database', 'observability'],
  // Health and metrics over HTTP.
  monitoring: ['plugins', 'plugins/calls', 'common', 'http', 'auth', 'database', 'observability'],

  zones: ['plugins', 'common', 'config', 'dns', 'http', 'http/idempotency-keys', 'auth', 'database', 'background'],
  records: [
    ...['plugins', 'common', 'config', 'dns', 'http', 'http/idempotency-keys', 'auth', 'database', 'background'],
    ...['zones'],
  ],
  history: ['plugins', 'common', 'dns', 'http', 'http/idempotency-keys', 'auth', 'database', 'zones', 'records'],
  // The audit log is written in the transaction of the change.
  'history/audit': ['plugins', 'common', 'config', 'dns', 'http', 'auth', 'database', 'background', 'zones'],
  // An import writes through records, so that every rule applies.
  'zone-files': [
    ...['plugins', 'common', 'config', 'dns', 'http', 'http/idempotency-keys', 'auth', 'database', 'background'],
    ...['observability', 'zones', 'records', 'history'],
  ],
  // Only the limit ports of other features.
  quotas: [
    ...['plugins', 'common', 'config', 'http', 'auth', 'database', 'observability'],
    /^src\/(records|zones|zone-files)\/.*-limits\.ts$/,
  ],
  publishing: [
    ...['plugins', 'common', 'config', 'dns', 'http', 'auth', 'database', 'background', 'observability'],
    ...['zones', 'records', 'history'],
  ],

  // Reads domains at the name servers that they move away from.
  moves: ['plugins', 'common', 'config', 'dns', 'http', 'auth', 'database', 'zones', 'records', 'publishing'],

  // Compares zones with the live DNS.
  'live-checks': [
    ...[
      'plugins',
      'common',
      'config',
      'dns',
      'http',
      'auth',
      'database',
      'background',
      'observability',
      'zones',
      'records',
      'publishing',
      'feed',
    ],
    /^src\/moves\/(?:outbound-reads|time-limit)\.ts$/,
  ],

  'dynamic-update/update-keys': ['plugins', 'common', 'config', 'dns', 'http', 'auth', 'database', 'background'],
  'dynamic-update': [
    ...['plugins', 'common', 'config', 'dns', 'auth', 'database', 'background', 'zones', 'records', 'publishing'],
    ...['dynamic-update/update-keys'],
  ],
  // Implements the ports for signed zones in publishing and exports.
  dnssec: [
    ...['plugins', 'common', 'config', 'dns', 'http', 'auth', 'database', 'background', 'observability'],
    ...['zones', 'records', 'history', 'publishing'],
    /^src\/zone-files\/export\/zone-text\.ts$/,
  ],

  // Sets the addresses of ALIAS records.
  aliases: [
    ...['plugins', 'common', 'config', 'dns', 'http', 'auth', 'database', 'background', 'observability'],
    ...['zones', 'records', 'publishing', 'feed'],
  ],

  // Records for new zones, and for zones later.
  templates: [
    ...['plugins', 'common', 'config', 'dns', 'http', 'http/idempotency-keys', 'auth', 'database', 'zones', 'records'],
  ],

  // Change listeners of plugins.
  'feed/listeners': ['plugins', 'plugins/calls', 'common', 'database', 'background', 'observability', 'zones'],
  // Events contain records in version 1 format.
  feed: ['plugins', 'common', 'http', 'zones', /^src\/records\/v1\/[^/]+\.mapper\.ts$/],
  'feed/webhooks': [
    ...['plugins', 'common', 'config', 'dns', 'http', 'auth', 'database', 'background', 'observability'],
    ...['zones', 'feed'],
  ],
  'feed/events': [
    ...['plugins', 'common', 'config', 'dns', 'http', 'auth', 'database', 'background', 'observability', 'zones'],
    ...['feed/listeners', 'feed'],
  ],
  // Takes notices to event streams and webhooks.
  'feed/notices': ['plugins', 'feed/events', 'feed/webhooks', 'feed'],
  'feed/publications': ['plugins', 'common', 'config', 'database', 'background', 'zones', 'feed'],

  // Sign-in sessions of the console.
  'console/session': ['plugins', 'common', 'config', 'http', 'auth', 'database', 'background', 'console'],
  // Static files of the console.
  'console/page': ['plugins', 'http', 'auth'],
  console: ['config'],

  // An interface to zones and records, without a core.
  powerdns: [
    'plugins',
    'common',
    'config',
    'dns',
    'http',
    'auth',
    'database',
    'zones',
    'records',
    'zone-files',
    'dnssec',
  ],
  'external-dns': ['plugins', 'common', 'config', 'dns', 'http', 'auth', 'database', 'zones', 'records'],
  openstack: ['plugins', 'common', 'dns', 'http', 'auth', 'database', 'background', 'zones'],
};

/** Adapter folders of a feature, and the interface in src/http that each may import. */
const INTERFACES = { v1: 'v1', v2: 'v2', admin: 'v1', discovery: '(v1|v2)' };
const IN_ADAPTER = `/(${Object.keys(INTERFACES).join('|')})/`;

/** Specs may import everything. */
const TESTS = '\\.spec\\.ts$';
const TOP = '^src/[^/]+\\.ts$|^src/(app|cli|testing)/';
/** Files that declare modules. */
const MODULES = '\\.(plugin|module)\\.ts$';
const USES_TYPEORM =
  '\\.(entity|repository|module)\\.ts$|^src/database/|/migrations/|^src/app/app\\.module\\.ts$|^(ormconfig|src/app/typeorm-cli)\\.ts$';

/** Files of a folder, without nested folders that have their own entry. */
function filesOf(folder) {
  const inside = Object.keys(DIRECTIONS).filter((other) => other.startsWith(`${folder}/`));
  const others = inside.map((other) => `${other.slice(folder.length + 1)}/`).join('|');
  return inside.length === 0 ? `^src/${folder}/` : `^src/${folder}/(?!${others})`;
}

const directions = Object.entries(DIRECTIONS).map(([folder, allowed]) => ({
  name: `direction-${folder}`,
  comment: `src/${folder} may import from src: ${allowed.map(String).join(', ') || 'nothing'}.`,
  severity: 'error',
  from: { path: filesOf(folder), pathNot: TESTS },
  to: {
    path: '^(src|test|bench|examples)/|^ormconfig\\.ts$',
    pathNot: [folder, ...allowed].map((target) => (target instanceof RegExp ? target.source : filesOf(target))),
  },
}));

const adapters = Object.entries(INTERFACES).map(([adapter, words]) => ({
  name: `adapters-share-mappers-${adapter}`,
  comment: `An adapter may import src/http/${words} and the mappers (*.mapper.ts) of its own interface, but no other adapter.`,
  severity: 'error',
  from: { path: `^src/(.+)/${adapter}/`, pathNot: TESTS },
  to: {
    path: `^src/.+${IN_ADAPTER}`,
    pathNot: [`^src/$1/${adapter}/`, `^src/http/${words}/`, `^src/.+/${adapter}/[^/]+\\.mapper\\.ts$`],
  },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...directions,
    {
      name: 'undeclared-folder',
      comment: 'Add this folder of src to DIRECTIONS in .dependency-cruiser.cjs, with the folders that it may import.',
      severity: 'error',
      from: {
        path: '^src/[^/]+/',
        pathNot: [...Object.keys(DIRECTIONS).map((name) => `^src/${name}/`), TOP, TESTS],
      },
      to: {},
    },
    {
      name: 'console-is-a-client',
      comment: 'The console runs in a browser and uses only the HTTP API. It and the service do not import each other.',
      severity: 'error',
      from: { path: '^console/' },
      to: { path: '^(src|test|bench|examples|scripts)/' },
    },
    {
      name: 'console-is-built',
      comment: 'The service reads the built files of the console, not its source.',
      severity: 'error',
      from: { path: '^(src|test|bench|examples|scripts)/' },
      to: { path: '^console/' },
    },
    {
      name: 'adapters-stay-apart',
      comment: 'Only the plugin and modules of a feature may import its adapters.',
      severity: 'error',
      from: { path: '^src/', pathNot: [`^src/.+${IN_ADAPTER}`, MODULES, TOP, TESTS] },
      to: { path: `^src/.+${IN_ADAPTER}` },
    },
    {
      name: 'modules-show-their-own-feature',
      comment: 'A plugin or module may import only the adapters of its own feature. http and auth import no adapter.',
      severity: 'error',
      from: { path: `^src/([^/]+)/.+${MODULES}`, pathNot: [`^src/.+${IN_ADAPTER}`, TOP, TESTS] },
      to: { path: `^src/.+${IN_ADAPTER}`, pathNot: '^src/(?!http/)$1/' },
    },
    ...adapters,
    {
      name: 'core-knows-no-http',
      comment: 'The core of a feature is independent of HTTP. Only adapters, modules and plugins may import src/http.',
      severity: 'error',
      from: {
        path: '^src/(zones|records|history|zone-files|quotas|publishing|dnssec|dynamic-update|feed|openstack)/',
        // Versions 1 and 2 share the DNSSEC forms.
        pathNot: [`^src/.+${IN_ADAPTER}`, '^src/dnssec/forms/', MODULES, TESTS],
      },
      to: { path: '^src/http/|(^|/)node_modules/(express|class-validator|class-transformer|@nestjs/swagger)(/|$)' },
    },
    {
      name: 'top-is-not-imported',
      comment: 'src/*.ts, src/app, src/cli and src/testing import every folder, so no folder may import them.',
      severity: 'error',
      from: { path: '^src/', pathNot: [TOP, TESTS] },
      to: { path: TOP },
    },
    {
      name: 'tests-stay-outside',
      comment: 'Shipped code imports no tests, benchmarks or examples.',
      severity: 'error',
      from: { path: '^src/|^ormconfig\\.ts$', pathNot: TESTS },
      to: { path: `^(test|bench|examples)/|${TESTS}` },
    },
    {
      name: 'testing-is-for-tests',
      comment: 'src/testing is for tests of plugins; the service does not import it.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/testing/', TESTS] },
      to: { path: '^src/testing/' },
    },
    {
      name: 'dns-is-pure',
      comment: 'src/dns is pure: no Nest, TypeORM, files, sockets or processes.',
      severity: 'error',
      from: { path: '^src/dns/', pathNot: TESTS },
      to: {
        path: [
          '(^|/)node_modules/(@nestjs|typeorm|express|pg|better-sqlite3|rxjs)(/|$)',
          '^(node:)?(fs|net|tls|dgram|dns|http|https|http2|child_process|cluster|worker_threads|process|os)(/|$)',
        ],
      },
    },
    {
      name: 'typeorm-where-sql-ends',
      comment: 'Only entities, repositories, src/database, ormconfig.ts and modules import TypeORM.',
      severity: 'error',
      from: { path: '^src/|^ormconfig\\.ts$', pathNot: [USES_TYPEORM, TESTS] },
      to: { path: '(^|/)node_modules/(typeorm|@nestjs/typeorm)(/|$)' },
    },
    {
      name: 'swagger-only-for-the-document',
      comment: 'A start does not load @nestjs/swagger (ADR 18). Import decorators from src/http/openapi.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/app/api-document/api-document\\.ts$', TESTS] },
      to: { path: '(^|/)node_modules/@nestjs/swagger(/|$)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'document-only-when-asked-for',
      comment: 'The API document builder loads @nestjs/swagger: import it dynamically (ADR 18).',
      severity: 'error',
      from: { path: '^src/', pathNot: TESTS },
      to: { path: '^src/app/api-document/api-document\\.ts$', dynamic: false },
    },
    {
      name: 'loaded-when-needed',
      comment:
        'A start must not load these (ADR 18). Import parts of class-validator, and the other packages dynamically.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          // The first is loaded only with its strategy; the others use `require`.
          '^src/(auth/jwt/jwt\\.authenticator|http/bodies/class-validator|app/composition/compose)\\.ts$',
          TESTS,
        ],
      },
      to: {
        path: '(^|/)node_modules/(class-validator|jose|semver|@nestjs/mapped-types)(/|$)',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'drivers-in-database',
      comment: 'Only src/database imports database drivers. A test service creates its database.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/database/', '^src/testing/test-service\\.ts$', TESTS] },
      to: { path: '(^|/)node_modules/(@types/)?(pg|better-sqlite3)(/|$)' },
    },
    {
      name: 'ormconfig-imports-database',
      comment: 'ormconfig.ts defines the data source and imports only src/database.',
      severity: 'error',
      from: { path: '^ormconfig\\.ts$' },
      to: { path: '^src/', pathNot: '^src/database/' },
    },
    {
      name: 'one-way-to-sqlite',
      comment:
        'Use loadSqlite() of src/database/sqlite/sqlite-driver.ts, which selects the better-sqlite3 build (ADR 2).',
      severity: 'error',
      from: {},
      to: {
        path: '(^|/)node_modules/(@types/)?better-sqlite3(-napi)?(/|$)',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'no-cycle',
      comment:
        'Cycles break ES modules at load. A cycle of types means that the files belong together or need a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-dev-dependency',
      comment: 'Shipped code runs without development dependencies. Types of packages are not shipped.',
      severity: 'error',
      from: { path: '^src/|^ormconfig\\.ts$', pathNot: TESTS },
      to: { dependencyTypes: ['npm-dev'], pathNot: 'node_modules/@types/' },
    },
    {
      name: 'not-in-package-json',
      comment: 'Name each imported package in package.json.',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'not-to-unresolvable',
      comment: 'The import does not resolve.',
      severity: 'error',
      from: {},
      // A fresh clone has no build output.
      to: { couldNotResolve: true, pathNot: '(^|/)dist/' },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    // Includes `import type` and imports that the compiler drops.
    tsPreCompilationDeps: true,
    // dependency-cruiser resolves .js imports to .ts files.
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'require', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
      mainFields: ['module', 'main', 'types'],
    },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|coverage|data|examples/plugins)/' },
    combinedDependencies: false,
  },
};
