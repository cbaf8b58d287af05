import { type DomainName, displayName } from '../name.js';
import type { RecordType } from '../rdata/index.js';
import { EntryError, withErrorAt } from './entry-error.js';
import type { EntryToken } from './entry-scanner.js';
import type { Range, Template } from './generate.js';
import { lineTokens } from './line-tokens.js';
import type { MasterFileError, MasterFileRecord, MasterFileRepair } from './master-file.js';
import type { Position } from './position.js';
import { outsideError, readData, readName } from './record-parts.js';

/** A `$GENERATE` as it was read, with what held for it at its place in the file. */
export interface Generation {
  readonly range: Range;
  readonly owner: TemplateToken;
  readonly data: TemplateToken;
  readonly ttl: number | null;
  readonly type: RecordType;
  readonly origin: DomainName;
  readonly zone: DomainName;
  /** Whether names outside of the zone are left out, rather than an error. */
  readonly leavesOutside: boolean;
  readonly position: Position;
}

interface TemplateToken {
  readonly token: EntryToken;
  readonly template: Template;
}

/**
 * One record for each number of the range, made when it is asked for.
 * @throws EntryError while it is iterated
 */
export function* generatedRecords(generation: Generation): Generator<MasterFileRecord | MasterFileRepair> {
  const { range, owner, data, ttl, type, origin, zone, position, leavesOutside } = generation;
  for (let value = range.start; value <= range.stop; value += range.step) {
    const name = readName({ ...owner.token, text: owner.template(value) }, origin);
    if (!name.isWithin(zone)) {
      if (!leavesOutside) throw outsideError(name, zone, owner.token);
      yield { ...position, kind: 'outside_zone', text: displayName(name) };
      continue;
    }
    yield {
      ...position,
      owner: name,
      ttl,
      type,
      rdata: readData(type, generatedTokens({ ...data.token, text: data.template(value) }), data.token, origin),
    };
  }
}

/** The same records; an EntryError becomes the last item. */
export function* withErrorsInPlace(
  records: Iterable<MasterFileRecord | MasterFileRepair>,
  inPlace: (error: EntryError) => MasterFileError,
): Generator<MasterFileRecord | MasterFileRepair | MasterFileError> {
  try {
    yield* records;
  } catch (error) {
    if (!(error instanceof EntryError)) throw error;
    yield inPlace(error);
  }
}

/** The tokens that a generated `rhs` stands for: one, or several where it is in quotes. */
function generatedTokens(token: EntryToken): readonly EntryToken[] {
  const line = token.quoted
    ? token.text.replace(/\\([^])/g, (escape, next: string) => (next === '"' ? next : escape))
    : token.text;
  return withErrorAt(token, EntryError, () => lineTokens(line));
}
