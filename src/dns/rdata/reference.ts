import type { Placement } from './placement.js';
import type { RecordType } from './record-type.js';

/** The table of types of docs/spec/record-types.md: one line of Markdown for each. */
export function recordTypeTable(types: readonly RecordType[]): string {
  return HEAD + types.map(row).join('');
}

const HEAD = '| type | code | defined in | `priority` | `data` | rules |\n|---|---|---|---|---|---|\n';

function row(type: RecordType): string {
  const { name, code, rfc, priority, dataFields } = type;
  const data = dataFields.map(({ label, form }) => `${label}: ${form}`).join('; ');
  const cells = [
    `[${name}](#${name.toLowerCase()})`,
    String(code),
    rfc,
    priority,
    data,
    rulesOf(type).join('; ') || '–',
  ];
  return `| ${cells.map(escape).join(' | ')} |\n`;
}

/** One example for each type, as it is sent and as a zone file has it. */
export function recordTypeExamples(types: readonly RecordType[]): string {
  return types.map(example).join('\n');
}

function example(type: RecordType): string {
  const { name, data, priority } = type.example;
  const sent = JSON.stringify({ name, type: type.name, data, ...(priority !== null && { priority }) });
  const line = `${name} ${type.name} ${type.toText(type.parse(data, priority))}`;
  return `### ${type.name}\n\n\`\`\`text\n${sent}\n${line}\n\`\`\`\n`;
}

function rulesOf({ owner, placement }: RecordType): string[] {
  return [...(owner ? [`names ${owner.form}`] : []), ...RULES.flatMap((describe) => describe(placement) ?? [])];
}

/** How each rule is described; undefined where a type does not have it. */
const RULES: readonly ((placement: Placement<Uint8Array>) => string | undefined)[] = [
  ({ isAlone }) => isAlone && 'no other type at its name',
  ({ isSingle }) => isSingle && 'one record at a name',
  ({ notAtApex }) => notAtApex && `not at the apex: ${notAtApex}`,
  ({ notAtWildcard }) => notAtWildcard && `not at a wildcard: ${notAtWildcard}`,
  ({ notBeside }) => notBeside && `not beside ${notBeside.join(', ')}, except at the apex`,
  ({ nothingBelow }) => nothingBelow && `nothing below its name: it ${nothingBelow}`,
  ({ isAtZoneCut }) => isAtZoneCut && 'at a zone cut it belongs to the zone above',
  ({ exclusive }) => exclusive && `${exclusive.name} is the only one at its name`,
  ({ needs }) =>
    needs && `needs ${needs.type} at the same name${needs.atApexOnly ? ', the apex' : ''}, else ${needs.otherwise}`,
];

/** Table cells are Markdown: a bar would end them, a backslash or an underscore would vanish. */
function escape(text: string): string {
  return text.replace(/[|\\_<*]/g, '\\$&');
}
