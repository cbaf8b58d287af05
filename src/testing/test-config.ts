import { variableName } from '../config/option.js';

/** Options by section, as in the configuration file: `{ 'service:api': { enable_api_admin: true } }`. */
export type TestConfig = Readonly<Record<string, Readonly<Record<string, TestOption>>>>;

/** `true` is written `True`, and a list with commas. */
export type TestOption = string | number | boolean | readonly string[];

/** Trusts the caller that a test names, on loopback and a free port. */
const OPEN: TestConfig = {
  'service:api': { listen: '127.0.0.1:0', auth_strategy: 'noauth', changes_per_minute: 1_000_000_000 },
  // No test reaches these limits unless it sets its own.
  DEFAULT: {
    quota_zones: 1_000_000,
    quota_zone_records: 10_000_000,
    quota_zone_recordsets: 10_000_000,
    quota_recordset_records: 10_000_000,
  },
};

/** The configuration of a test service, with the options of one test added. */
export function testEnvironment(databaseUrl: string, config: TestConfig = {}): Record<string, string> {
  return {
    ...environmentFor(OPEN),
    ...environmentFor({ database: { url: databaseUrl } }),
    ...environmentFor(config),
  };
}

/** The environment that sets exactly these options. */
function environmentFor(config: TestConfig): Record<string, string> {
  const variables = Object.entries(config).flatMap(([section, options]) =>
    Object.entries(options).map(([name, value]) => [variableName(section, name), textOf(value)] as const),
  );
  return Object.fromEntries(variables);
}

function textOf(value: TestOption): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'object' ? value.join(', ') : String(value);
}
