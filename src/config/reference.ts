import type { Option } from './option.js';

/** `zonewright.conf.example`: every option with its default, commented out. */
export function exampleFile(options: readonly Option<unknown>[]): string {
  return `${HEADER}\n${exampleSections(options)}`;
}

export function exampleSections(options: readonly Option<unknown>[]): string {
  const sections = bySection(options).map(([section, members]) => {
    const entries = members.map(
      ({ name, meaning, reader, default: value }) =>
        `# ${meaning}\n# allowed: ${reader.allowed}\n#${`${name} = ${value}`.trimEnd()}\n`,
    );
    return `[${section}]\n\n${entries.join('\n')}`;
  });
  return sections.join('\n\n');
}

const HEADER = `# Zonewright: every option with its default. Uncomment what you change.
# Written from the declarations in src/**/*.options.ts: npm run docs:config
#
# A comment begins with # or ; on a line of its own, or after a blank behind a value. A value that holds one of them, or
# begins with a quote, stands in double quotes (with \\" and \\\\ as in JSON) or in single quotes (as it is):
#   password = "bits#and;pieces"
# The environment overrides this file: ZONEWRIGHT_SERVICE_API__LISTEN=127.0.0.1:9001
`;

/** For docs/configuration.md. */
export function optionTables(options: readonly Option<unknown>[]): string {
  return bySection(options)
    .map(([section, members]) => `### [${section}]\n\n${TABLE_HEAD}${members.map(tableRow).join('')}`)
    .join('\n');
}

const TABLE_HEAD = '| option | default | allowed | meaning |\n|---|---|---|---|\n';

function tableRow({ name, default: value, reader, meaning }: Option<unknown>): string {
  const shown = value === '' ? 'empty' : `\`${value}\``;
  return `| \`${name}\` | ${shown} | ${escape(reader.allowed)} | ${escape(meaning)} |\n`;
}

/** Markdown would read placeholders in angle brackets as HTML. */
function escape(text: string): string {
  return text.replace(/[<|]/g, '\\$&');
}

function bySection(options: readonly Option<unknown>[]): [string, Option<unknown>[]][] {
  const sections = new Map<string, Option<unknown>[]>();
  for (const option of options) {
    sections.set(option.section, [...(sections.get(option.section) ?? []), option]);
  }
  return [...sections];
}
