import { ServiceError } from '../../common/service-error.js';
import { groupedBy } from '../../common/grouped.js';
import { DomainName, displayName } from '../../dns/name.js';
import { keysOnPath } from '../../dns/name-key.js';
import type { ImportError, ZoneEntry } from './zone-file-reading.js';
import { OmissionSearch } from '../export/export-form.js';
import type { ZoneFile } from '../zone-file.js';

const MAX_FAULTS = 1000;

export class ImportErrors {
  private readonly faults: ImportError[] = [];

  add({ line, column, message, facts }: ImportError): void {
    if (!this.areMany) this.faults.push({ line, column, message, facts });
  }

  get list(): readonly ImportError[] {
    return this.faults;
  }

  get areAny(): boolean {
    return this.faults.length > 0;
  }

  get areMany(): boolean {
    return this.faults.length >= MAX_FAULTS;
  }

  /** Lists the first faults by line. */
  assertNone(): void {
    if (this.faults.length === 0) return;
    const count = `${this.areMany ? 'at least ' : ''}${this.faults.length}`;
    throw new ServiceError(
      'invalid_object',
      `The zone file has ${count} fault${this.faults.length === 1 ? '' : 's'}; nothing was stored.`,
      // Held records may have moved behind later ones.
      this.faults.toSorted(inOrderOfFile).map(({ line, column, message, facts }) => ({
        path: `line ${line}, column ${column}`,
        validator: 'format',
        message,
        facts,
      })),
    );
  }
}

function inOrderOfFile(one: ImportError, other: ImportError): number {
  return one.line - other.line || one.column - other.column;
}

type Params = NonNullable<ImportError['facts']>['params'];

/** Messages for conflicts of two lines. The zone may have the records as well. */
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

interface Conflict {
  readonly error: ImportError;
  readonly key: string;
  readonly sentence: (line: number) => string;
  other: number | null;
}

/** Reads the file again to name the other line of a conflict: "delete that first" does not help with a file. */
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

export class ZoneFileFindings {
  private readonly faults = new ImportErrors();
  private readonly omissions = new OmissionSearch();
  private entries = 0;

  watch(file: ZoneFile): ZoneFile {
    return this.omissions.watch(file);
  }

  add(entries: readonly ZoneEntry[]): void {
    this.entries += entries.length;
    for (const entry of entries) if (entry.kind === 'fault') this.faults.add(entry);
  }

  get entryCount(): number {
    return this.entries;
  }

  get hasFaults(): boolean {
    return this.faults.areAny;
  }

  get hasManyFaults(): boolean {
    return this.faults.areMany;
  }

  /** @param incomplete whether marks of omitted records are allowed */
  assertTaken(incomplete: boolean): void {
    this.faults.assertNone();
    if (this.omissions.hasFound && !incomplete) throw incompleteFile();
    // A truncated or empty file must not empty a zone.
    if (this.entries === 0) throw new ServiceError('invalid_object', 'The zone file is empty; nothing was stored.');
  }
}

function incompleteFile(): ServiceError {
  return ServiceError.ofField(
    'invalid_object',
    'incomplete',
    'required',
    'The zone file has comments that mark omitted records; add the records and remove the comments, or import it with incomplete=true.',
  );
}
