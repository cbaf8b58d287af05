/**
 * Who may import whom (docs/architecture.md, "Directions"). A folder of src that is not in the table may not exist:
 * whoever adds one says here what it may import. A folder inside another that has a line of its own follows that line
 * alone. Only src/*.ts, src/app, src/cli and src/testing may import from all.
 */
const DIRECTIONS = {
  dns: [],
  common: [],
  // What is measured and logged, wherever it happens.
  observability: ['config'],
  config: ['common'],
  // What a plugin may say of itself: features describe themselves with it, and nothing in it knows them.
  plugins: ['config', 'database', 'dns', 'observability', /^src\/feed\/listeners\/change-listener\.ts$/],
  // How long plugins may take when they are called, and who tells when they do not answer.
  'plugins/calls': ['common', 'database', 'observability'],
  database: ['common', 'config', 'observability'],
  background: ['common', 'database', 'observability'],
  http: ['common', 'config', 'observability'],
  'http/idempotency-keys': ['plugins', 'common', 'config', 'http', 'database', 'background'],
  auth: ['plugins', 'common', 'config', 'dns', 'http', 'database', 'observability'],
  'observability/health': ['plugins', 'plugins/calls', 'common', 'http', 'auth', 'database', 'observability'],
  'observability/metrics': ['plugins', 'common', 'config', 'http', 'auth', 'database', 'observability'],

  zones: ['plugins', 'common', 'config', 'dns', 'http', 'http/idempotency-keys', 'auth', 'database', 'background'],
  records: [
    ...['plugins', 'common', 'config', 'dns', 'http', 'http/idempotency-keys', 'auth', 'database', 'background'],
    ...['zones'],
  ],
  history: ['plugins', 'common', 'dns', 'http', 'http/idempotency-keys', 'auth', 'database', 'zones', 'records'],
  // What is written down is told to src/database, in the transaction in which it happens.
  'history/audit': ['plugins', 'common', 'config', 'dns', 'http', 'auth', 'database', 'background', 'zones'],
  // A zone file is written in the same way as a single record, so that no rule is left out.
  'zone-files': [
    ...['plugins', 'common', 'config', 'dns', 'http', 'http/idempotency-keys', 'auth', 'database', 'background'],
    ...['observability', 'zones', 'records', 'history'],
  ],
  // Of the other features only the ports that quotas fill.
  quotas: [
    ...['plugins', 'common', 'config', 'http', 'auth', 'database', 'observability'],
    /^src\/(records|zones|zone-files)\/.*-limits\.ts$/,
  ],
  publishing: [
    ...['plugins', 'common', 'config', 'dns', 'http', 'auth', 'database', 'background', 'observability'],
    ...['zones', 'records', 'history'],
  ],

  'dynamic-update/update-keys': ['plugins', 'common', 'config', 'dns', 'http', 'auth', 'database', 'background'],
  'dynamic-update': [
    ...['plugins', 'common', 'config', 'dns', 'auth', 'database', 'background', 'zones', 'records', 'publishing'],
    ...['dynamic-update/update-keys'],
  ],
  // It fills the ports through which publishing and exports are told what is signed.
  dnssec: [
    ...['plugins', 'common', 'config', 'dns', 'http', 'auth', 'database', 'background', 'observability'],
    ...['zones', 'records', 'history', 'publishing'],
    /^src\/zone-files\/export\/signed-texts\.ts$/,
  ],

  // What learns of changes; plugins bring it.
  'feed/listeners': ['plugins', 'plugins/calls', 'common', 'database', 'background', 'observability', 'zones'],
  // Changes are told with records as their own adapter shows them.
  feed: ['feed/listeners', 'common', 'http', 'zones', /^src\/records\/v1\/[^/]+\.mapper\.ts$/],
  'feed/webhooks': [
    ...['plugins', 'common', 'config', 'dns', 'http', 'auth', 'database', 'background', 'observability'],
    ...['zones', 'feed/listeners', 'feed'],
  ],
  'feed/events': [
    ...['plugins', 'common', 'config', 'dns', 'http', 'auth', 'database', 'background', 'observability', 'zones'],
    ...['feed/listeners', 'feed'],
  ],
  // Whoever is told of changes is told what has become of them.
  'feed/publications': [
    ...['plugins', 'common', 'config', 'database', 'background', 'zones'],
    ...['feed/listeners', 'feed/events', 'feed/webhooks', 'feed'],
  ],

  // What the pages of the service need beside the API: who has signed in.
  'console/session': ['plugins', 'common', 'config', 'http', 'auth', 'database', 'background', 'console'],
  // The page that runs in a browser, as files.
  'console/page': ['plugins', 'http', 'auth'],
  console: ['config'],

  // Another interface on the same zones: it has no core of its own.
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
  openstack: ['plugins', 'common', 'dns', 'http', 'auth', 'database', 'background', 'zones'],
};

/** The folders in a feature that each show it through one interface, and the words of which interface they speak. */
const INTERFACES = { v1: 'v1', v2: 'v2', admin: 'v1', discovery: '(v1|v2)' };
const IN_ADAPTER = `/(${Object.keys(INTERFACES).join('|')})/`;

/** Specs and what they share may import everything. */
const TESTS = '\\.spec\\.ts$';
const KNOWS_EVERYBODY = '^src/[^/]+\\.ts$|^src/(app|cli|testing)/';
/** Where a feature says what its modules hold. */
const MAKES_MODULES = '\\.(plugin|module)\\.ts$';
const SPEAKS_TYPEORM =
  '\\.(entity|repository|module)\\.ts$|^src/database/|/migrations/|^src/app/app\\.module\\.ts$|^ormconfig\\.ts$';

/** The files of a folder, without those of folders inside it that have a line of their own. */
function filesOf(folder) {
  const inside = Object.keys(DIRECTIONS).filter((other) => other.startsWith(`${folder}/`));
  const others = inside.map((other) => `${other.slice(folder.length + 1)}/`).join('|');
  return inside.length === 0 ? `^src/${folder}/` : `^src/${folder}/(?!${others})`;
}

const directions = Object.entries(DIRECTIONS).map(([folder, allowed]) => ({
  name: `direction-${folder}`,
  comment: `src/${folder} may import of ours: ${allowed.map(String).join(', ') || 'nothing'}.`,
  severity: 'error',
  from: { path: filesOf(folder), pathNot: TESTS },
  to: {
    path: '^(src|test|bench|examples)/|^ormconfig\\.ts$',
    pathNot: [folder, ...allowed].map((target) => (target instanceof RegExp ? target.source : filesOf(target))),
  },
}));

const adapters = Object.entries(INTERFACES).map(([adapter, words]) => ({
  name: `adapters-share-mappers-${adapter}`,
  comment: `An adapter imports from no other one but src/http/${words}, and the mappers (*.mapper.ts) of its own interface.`,
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
      comment: 'This folder of src has no line in DIRECTIONS (.dependency-cruiser.cjs): say there what it may import.',
      severity: 'error',
      from: {
        path: '^src/[^/]+/',
        pathNot: [...Object.keys(DIRECTIONS).map((name) => `^src/${name}/`), KNOWS_EVERYBODY, TESTS],
      },
      to: {},
    },
    {
      name: 'console-is-a-client',
      comment:
        'The console runs in a browser and knows the API alone: it imports nothing of the service, nor the other way round.',
      severity: 'error',
      from: { path: '^console/' },
      to: { path: '^(src|test|bench|examples|scripts)/' },
    },
    {
      name: 'console-is-built',
      comment: 'The service has the console as files that were built, and not as code.',
      severity: 'error',
      from: { path: '^(src|test|bench|examples|scripts)/' },
      to: { path: '^console/' },
    },
    {
      name: 'adapters-stay-apart',
      comment: "An adapter shows its own feature; only that feature's plugin and modules may import it.",
      severity: 'error',
      from: { path: '^src/', pathNot: [`^src/.+${IN_ADAPTER}`, MAKES_MODULES, KNOWS_EVERYBODY, TESTS] },
      to: { path: `^src/.+${IN_ADAPTER}` },
    },
    {
      name: 'modules-show-their-own-feature',
      comment: 'A plugin or module imports adapters of its own feature, and http and auth know no interface by name.',
      severity: 'error',
      from: { path: `^src/([^/]+)/.+${MAKES_MODULES}`, pathNot: [`^src/.+${IN_ADAPTER}`, KNOWS_EVERYBODY, TESTS] },
      to: { path: `^src/.+${IN_ADAPTER}`, pathNot: '^src/(?!http/)$1/' },
    },
    ...adapters,
    {
      name: 'core-knows-no-http',
      comment:
        'The core of a feature takes commands and returns what it keeps; HTTP is for adapters, modules and plugins.',
      severity: 'error',
      from: {
        path: '^src/(zones|records|history|zone-files|quotas|publishing|dnssec|dynamic-update|feed|openstack)/',
        // Versions 1 and 2 show signed zones in the same words.
        pathNot: [`^src/.+${IN_ADAPTER}`, '^src/dnssec/forms/', MAKES_MODULES, TESTS],
      },
      to: { path: '^src/http/|(^|/)node_modules/(express|class-validator|class-transformer|@nestjs/swagger)(/|$)' },
    },
    {
      name: 'known-by-nobody',
      comment: 'src/*.ts, src/app, src/cli and src/testing know everybody, so nobody below may know them.',
      severity: 'error',
      from: { path: '^src/', pathNot: [KNOWS_EVERYBODY, TESTS] },
      to: { path: KNOWS_EVERYBODY },
    },
    {
      name: 'tests-stay-outside',
      comment: 'What is shipped imports nothing from tests, benchmarks and examples.',
      severity: 'error',
      from: { path: '^src/|^ormconfig\\.ts$', pathNot: TESTS },
      to: { path: `^(test|bench|examples)/|${TESTS}` },
    },
    {
      name: 'testing-is-for-tests',
      comment: 'src/testing is what tests of plugins import; the service itself runs without it.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/testing/', TESTS] },
      to: { path: '^src/testing/' },
    },
    {
      name: 'dns-is-pure',
      comment: 'src/dns says what DNS is: no Nest, no TypeORM, no files, no sockets, no processes.',
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
      comment: 'TypeORM is spoken in entities, repositories, src/database and where a module registers its entities.',
      severity: 'error',
      from: { path: '^src/|^ormconfig\\.ts$', pathNot: [SPEAKS_TYPEORM, TESTS] },
      to: { path: '(^|/)node_modules/(typeorm|@nestjs/typeorm)(/|$)' },
    },
    {
      name: 'swagger-only-for-the-document',
      comment: 'A start does not load @nestjs/swagger (ADR 18): decorators come from src/http/openapi.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/app/api-document/api-document\\.ts$', TESTS] },
      to: { path: '(^|/)node_modules/@nestjs/swagger(/|$)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'document-only-when-asked-for',
      comment: 'What makes the API document loads @nestjs/swagger: it is imported dynamically only (ADR 18).',
      severity: 'error',
      from: { path: '^src/', pathNot: TESTS },
      to: { path: '^src/app/api-document/api-document\\.ts$', dynamic: false },
    },
    {
      name: 'loaded-when-needed',
      comment:
        'Every start would load these: class-validator is imported by its parts, the others where they are called (ADR 18).',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          // The first is loaded where the strategy is, the others load by `require`.
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
      comment: 'The database drivers are spoken to in src/database only; a test service has a database made for it.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/database/', '^src/testing/test-database\\.ts$', TESTS] },
      to: { path: '(^|/)node_modules/(@types/)?(pg|better-sqlite3)(/|$)' },
    },
    {
      name: 'one-way-to-sqlite',
      comment:
        'loadSqlite() in src/database/sqlite/sqlite-driver.ts knows which better-sqlite3 this Node.js bears (ADR 2).',
      severity: 'error',
      from: {},
      to: {
        path: '(^|/)node_modules/(@types/)?better-sqlite3(-napi)?(/|$)',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'no-cycle',
      comment: 'Cycles break ES modules at load; one of types alone says that two files are one, or three.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-dev-dependency',
      comment: 'What is shipped runs without the development dependencies. Types of packages are not shipped.',
      severity: 'error',
      from: { path: '^src/|^ormconfig\\.ts$', pathNot: TESTS },
      to: { dependencyTypes: ['npm-dev'], pathNot: 'node_modules/@types/' },
    },
    {
      name: 'not-in-package-json',
      comment: 'A package that is imported is named in package.json, and not only dragged in by another.',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'not-to-unresolvable',
      comment: 'This import leads nowhere.',
      severity: 'error',
      from: {},
      // What the build writes is not there on a fresh clone.
      to: { couldNotResolve: true, pathNot: '(^|/)dist/' },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    // See `import type` too, and imports that the compiler would drop.
    tsPreCompilationDeps: true,
    // Relative imports end in .js and mean the .ts beside them, which dependency-cruiser knows by itself.
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
