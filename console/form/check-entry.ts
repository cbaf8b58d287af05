import { ask } from '../api/client.js';
import { isVerdict, type Refusal } from '../api/errors.js';
import type { DoneChanges, StoredRecord } from '../api/types.js';
import { changeSetOf, type Entry } from '../changes/pending.js';

/** The verdict of the service on one entry among others. */
export interface Verdict {
  /** As it would be stored; `null` where it or another entry is refused. */
  readonly record: StoredRecord | null;
  /** By the controls of the form: `name`, `ttl`, `data`, `fields.exchange` … */
  readonly faults: Readonly<Record<string, string>>;
  /** Faults of the entry as a whole, such as an existing name; other changes may fix them. */
  readonly general: readonly string[];
}

/** Tries an entry together with the pending changes. @throws Refusal, NoAnswer */
export async function checkEntry(
  zoneId: string,
  others: readonly Entry[],
  entry: Entry,
  signal?: AbortSignal,
): Promise<Verdict> {
  const entries = [...others.filter(({ key }) => key !== entry.key), entry];
  const index = entries.length - 1;
  const path = `/v1/domains/${zoneId}/changes?dry_run=true&fields=true`;
  try {
    const { body } = await ask<DoneChanges>(path, { method: 'POST', json: changeSetOf(entries), signal });
    return { record: body.changes[index]?.record ?? null, faults: {}, general: [] };
  } catch (error) {
    if (!isVerdict(error)) throw error;
    return verdictOf(error, index);
  }
}

export function verdictOf(refusal: Refusal, index: number): Verdict {
  const faults: Record<string, string> = {};
  const general: string[] = [];
  const isOfContent = refusal.type === 'invalid_object' || refusal.type === 'invalid_ttl';
  for (const { path, message } of refusal.fields) {
    if (path !== `changes[${index}]` && !path.startsWith(`changes[${index}].`)) continue;
    const control = controlOf(path);
    if (control === null || !isOfContent) general.push(message);
    else faults[control] ??= withoutPath(message, control);
  }
  return { record: null, faults, general };
}

/** `changes[0].record.fields.exchange` is about the control of the field `exchange`. */
function controlOf(path: string): string | null {
  const [, control] = /^changes\[\d+\]\.record\.(fields\.[^.[]+|[^.[]+)/.exec(path) ?? [];
  return control ?? null;
}

/** Messages about fields begin with the field, which they stand at here. */
function withoutPath(message: string, control: string): string {
  if (!message.startsWith(`${control}: `)) return message;
  const sentence = message.slice(control.length + 2);
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
