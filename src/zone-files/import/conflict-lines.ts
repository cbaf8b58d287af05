import { groupedBy } from '../../common/grouped.js';
import { DomainName, displayName } from '../../dns/name.js';
import { keysOnPath } from '../../dns/name-key.js';
import { ImportErrors, type ImportError } from './import-errors.js';
import type { ZoneEntry } from './zone-file-reading.js';

type Params = NonNullable<ImportError['facts']>['params'];

/** How a conflict of two lines is told; the same records may be in the zone as well. */
const SENTENCES: Readonly<Record<string, (params: Params, line: number) => string>> = {
  not_beside: ({ type, other, name }, line) =>
    `${String(type)} cannot stand beside ${String(other)}, which ${String(name)} has in line ${line}: leave one of them out.`,
  only_one: ({ type, name }, line) =>
    `${String(name)} has a ${String(type)} in line ${line} already: leave one of them out.`,
  stands_alone: ({ type, value, name }, line) =>
    `${String(name)} has another ${String(type)} in line ${line}, and ${String(value)} stands alone: leave one of them out.`,
  hidden_by: ({ type, name }, line) =>
    `${String(name)} lies below the ${String(type)} of line ${line}, which hides it: leave one of them out.`,
  hides_others: ({ type, name }, line) =>
    `The name in line ${line} lies below ${String(name)}, and its ${String(type)} hides it: leave one of them out.`,
};

/** An error that another line of the file may have caused, and the first line that may have. */
interface Conflict {
  readonly error: ImportError;
  readonly key: string;
  readonly sentence: (line: number) => string;
  other: number | null;
}

/**
 * Reads the file once more to name the other line where two lines exclude each other: "delete that first" is no cure for a
 * file.
 */
export async function withOtherLines(
  errors: ImportErrors,
  zoneKey: string,
  read: () => AsyncIterable<readonly ZoneEntry[]>,
): Promise<ImportErrors> {
  const conflicts = errors.list.flatMap(conflictOf);
  if (conflicts.length === 0) return errors;
  const byName = groupedBy(conflicts, ({ key }) => key);
  const abovePaths = groupedBy(
    conflicts.flatMap((conflict) =>
      reasonOf(conflict) === 'hidden_by' ? keysOnPath(zoneKey, conflict.key).map((key) => ({ key, conflict })) : [],
    ),
    ({ key }) => key,
  );
  for await (const entries of read())
    for (const entry of entries) {
      if (entry.kind !== 'record') continue;
      const { ownerKey, type } = entry.content;
      for (const conflict of byName.get(ownerKey) ?? []) if (isAtSameName(conflict, type)) note(conflict, entry.line);
      for (const { conflict } of abovePaths.get(ownerKey) ?? [])
        if (conflict.error.facts?.params.type === type) note(conflict, entry.line);
      for (const key of keysOnPath(zoneKey, ownerKey))
        for (const conflict of key === ownerKey ? [] : (byName.get(key) ?? []))
          if (reasonOf(conflict) === 'hides_others') note(conflict, entry.line);
    }
  return renamed(errors, conflicts);
}

function conflictOf(error: ImportError): Conflict[] {
  const { facts } = error;
  const sentence = facts && SENTENCES[facts.reason];
  if (sentence === undefined || typeof facts?.params.name !== 'string') return [];
  const name = DomainName.parse(facts.params.name);
  const { key } = name;
  const params = { ...facts.params, name: displayName(name) };
  return [{ error, key, sentence: (line) => sentence(params, line), other: null }];
}

function isAtSameName(conflict: Conflict, type: string): boolean {
  const { other, type: own } = conflict.error.facts?.params ?? {};
  const reason = reasonOf(conflict);
  return reason === 'not_beside'
    ? type === other
    : (reason === 'only_one' || reason === 'stands_alone') && type === own;
}

function note(conflict: Conflict, line: number): void {
  if (line !== conflict.error.line) conflict.other ??= line;
}

function reasonOf({ error }: Conflict): string | undefined {
  return error.facts?.reason;
}

function renamed(errors: ImportErrors, conflicts: readonly Conflict[]): ImportErrors {
  const messages = new Map(
    conflicts.flatMap(({ error, sentence, other }) => (other === null ? [] : [[error, sentence(other)] as const])),
  );
  const result = new ImportErrors();
  for (const error of errors.list) result.add({ ...error, message: messages.get(error) ?? error.message });
  return result;
}
