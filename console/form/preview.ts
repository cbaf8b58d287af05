import type { FieldDescription, RecordType, Zone } from '../api/types.js';
import { secondsIn } from '../parts/duration.js';
import { isName } from './field-values.js';
import { descriptionsOf, type FormContent } from './form-content.js';
import { fullName, targetName } from './names.js';

const MISSING = '…';

/** The record in the form as a line of a zone file. The service may write its data in another spelling. */
export function previewOf(
  content: FormContent,
  type: RecordType | undefined,
  zone: Pick<Zone, 'name' | 'ttl'>,
): string {
  const ttl = content.ttl.trim() === '' ? zone.ttl : secondsIn(content.ttl);
  const data = content.isText ? textOf(content, type) : fieldsOf(content, type, zone.name);
  return [fullName(content.name, zone.name), ttl ?? MISSING, 'IN', content.type, ...data].join(' ');
}

function textOf({ text, priority }: FormContent, type: RecordType | undefined): string[] {
  const needsPriority = (type?.priority ?? null) !== null;
  return [...(needsPriority ? [priority || MISSING] : []), text || MISSING];
}

function fieldsOf({ fields }: FormContent, type: RecordType | undefined, zone: string): string[] {
  return descriptionsOf(type).flatMap((description) => {
    const typed = fields[description.name] ?? [];
    const texts = typed.filter((text) => text !== '').map((text) => written(description, text, zone));
    return texts.length === 0 && !description.optional ? [MISSING] : texts;
  });
}

function written(description: FieldDescription, text: string, zone: string): string {
  if (isName(description)) return targetName(text, zone);
  // A text with known values, such as the tag of CAA, is one word.
  return description.kind === 'text' && description.values === null
    ? `"${text.replace(/["\\]/g, (character) => `\\${character}`)}"`
    : text.trim();
}
