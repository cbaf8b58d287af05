import type { RecordType } from './record-type.js';
import { ownerRuleOf, placementRulesOf } from './rules-in-words.js';

/** For docs/spec/record-types.md. */
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
    [...ownerRuleOf(type), ...placementRulesOf(type)].join(' ') || '–',
  ];
  return `| ${cells.map((text) => text.replace(/[|\\_<*]/g, '\\$&')).join(' | ')} |\n`;
}

export function recordTypeExamples(types: readonly RecordType[]): string {
  return types.map(example).join('\n');
}

function example(type: RecordType): string {
  const { name, data, priority } = type.example;
  const sent = JSON.stringify({ name, type: type.name, data, ...(priority !== null && { priority }) });
  const line = `${name} ${type.name} ${type.toText(type.parse(data, priority))}`;
  return `### ${type.name}\n\n\`\`\`text\n${sent}\n${line}\n\`\`\`\n`;
}
