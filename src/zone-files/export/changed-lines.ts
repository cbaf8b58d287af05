import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/transaction.js';
import { type JournalStep, HistoryPoints, unlessForgotten } from '../../history/history-points.js';
import { type PointInTimeDifference, PointInTimeZones } from '../../history/point-in-time-zones.js';
import { RecordRepository, type ServedRecord } from '../../records/record.repository.js';
import { isOmitted, type RecordSource, ServedZone } from '../../records/served/served-zone.js';
import { comparePositions } from '../../records/stored-record.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import type { ExportForm } from './export-form.js';
import type { SpooledOctets } from '../../database/render-cache/spool.js';
import { ALIAS_MARK } from '../../dns/master-file/master-file-writer.js';
import { DomainName } from '../../dns/name.js';

/** A smaller zone is rendered in the time that finding its changes takes. */
const FEW_RECORDS = 200;
/** Finding the changes of one step takes the time of rendering this number of records. */
const RECORDS_OF_STEP = 10;
const MOST_STEPS = 1000;
const OWNERS_AT_A_TIME = 20;
/** Characters: all changed lines are in memory. */
const MOST_TEXT = 2 ** 22;

/** Lines by owner name key, in canonical order; empty for a name without records. */
export type LinesOfOwners = ReadonlyMap<string, string>;

@Injectable()
export class ChangedLines {
  constructor(
    private readonly contents: ServedZone,
    private readonly records: RecordRepository,
    private readonly moments: HistoryPoints,
    private readonly pointInTimeZones: PointInTimeZones,
  ) {}

  /** Includes the apex, because its SOA record has the serial. `null`: the whole zone must be rendered. */
  async since(tx: Transaction, zone: ZoneEntity, former: JournalStep, form: ExportForm): Promise<LinesOfOwners | null> {
    if (!isWorthwhile(zone, zone.version - former.number)) return null;
    const changes = await unlessForgotten(this.changesSince(tx, zone, former));
    // Records without a ttl follow the ttl of the zone.
    if (changes?.zone.ttl !== zone.ttl) return null;
    const owners = await this.ownersOf(tx, zone, changes);
    return owners && this.linesOf(tx, zone, owners, form);
  }

  /** `null` if the journal has another step at that number, because the database was restored. */
  private async changesSince(
    tx: Transaction,
    zone: ZoneEntity,
    former: JournalStep,
  ): Promise<PointInTimeDifference | null> {
    const { number } = await this.moments.find(tx, zone, { serial: former.serial });
    return number === former.number ? this.pointInTimeZones.changesSince(tx, zone, former) : null;
  }

  /** Former and present owner names of changed records; `null` if unknown. */
  private async ownersOf(
    tx: Transaction,
    { id, nameKey }: ZoneEntity,
    { changed, positions }: PointInTimeDifference,
  ): Promise<string[] | null> {
    const existing = [...changed.values()].flatMap((step) => (step.exists ? [step.id] : []));
    const present = await this.records.findAll(tx, id, existing);
    const keys = new Set([nameKey, ...[...positions, ...present].map(({ ownerKey }) => ownerKey)]);
    return keys.has('') ? null : [...keys].sort();
  }

  private async linesOf(
    tx: Transaction,
    zone: ZoneEntity,
    owners: readonly string[],
    form: ExportForm,
  ): Promise<LinesOfOwners | null> {
    const lines = new Map(owners.map((key) => [key, '']));
    let length = 0;
    for await (const sets of this.contents.recordSetsOf(tx, zone, this.recordsAt(tx, zone.id, owners), true)) {
      for (const set of sets) {
        if (isOmitted(set)) return null;
        const text = form.recordSet(set, zone);
        length += text.length;
        if (length > MOST_TEXT) return null;
        lines.set(set.owner.key, (lines.get(set.owner.key) ?? '') + text);
      }
    }
    return lines;
  }

  private recordsAt(tx: Transaction, zoneId: string, owners: readonly string[]): RecordSource {
    const { records } = this;
    async function* all(): AsyncGenerator<readonly ServedRecord[]> {
      for (let from = 0; from < owners.length; from += OWNERS_AT_A_TIME) {
        const found = await records.ofOwners(tx, zoneId, owners.slice(from, from + OWNERS_AT_A_TIME));
        yield found.sort(comparePositions);
      }
    }
    return { all, ofSet: (ownerKey, type) => records.servedSet(tx, zoneId, ownerKey, type) };
  }
}

function isWorthwhile({ recordCount }: ZoneEntity, steps: number): boolean {
  return steps >= 0 && steps <= MOST_STEPS && recordCount >= FEW_RECORDS + steps * RECORDS_OF_STEP;
}

const PIECE = 2 ** 18;
/** Octets of the first read; most lines are shorter. */
const SHORT_LINE = 256;
/** The longest name, with each octet as `\DDD`. */
const LONGEST_NAME = 1020;

const LINE_FEED = 0x0a;

type Octets = Pick<SpooledOctets, 'length' | 'read'>;

/** Replaces lines of a zone text from the offset `start`. Owner names are in canonical order, for binary search. */
export async function* withLines(
  former: Octets,
  start: number,
  lines: LinesOfOwners,
): AsyncGenerator<Uint8Array | string> {
  // The apex has changed with its SOA, and comes first in canonical order.
  const [apexKey = ''] = lines.keys();
  const search = new OwnerSearch(former, apexKey);
  let copied = start;
  for (const [key, text] of lines) {
    const from = await search.find(copied, (other) => other >= key);
    const to = await search.find(from, (other) => other > key);
    yield* between(former, copied, from);
    yield text;
    copied = to;
  }
  yield* between(former, copied, former.length);
}

async function* between(former: Octets, from: number, to: number): AsyncGenerator<Uint8Array> {
  for (let at = from; at < to; at += PIECE) yield await former.read(at, Math.min(at + PIECE, to));
}

class OwnerSearch {
  constructor(
    private readonly text: Octets,
    private readonly apexKey: string,
  ) {}

  /** Finds the first line for which `holds` is true; it must be true for all later lines. */
  async find(from: number, holds: (ownerKey: string) => boolean): Promise<number> {
    let start = from;
    let end = this.text.length;
    while (start < end) {
      const middle = Math.floor((start + end) / 2);
      const line = await this.lineStart(start, middle);
      if (holds(await this.ownerKeyAt(line))) end = line;
      else start = await this.lineEnd(middle);
    }
    return start;
  }

  private async lineStart(from: number, place: number): Promise<number> {
    for (let length = SHORT_LINE, end = place; end > from; length *= 2) {
      const begin = Math.max(from, end - length);
      const at = (await this.text.read(begin, end)).lastIndexOf(LINE_FEED);
      if (at >= 0) return begin + at + 1;
      end = begin;
    }
    return from;
  }

  private async lineEnd(place: number): Promise<number> {
    const { length } = this.text;
    for (let size = SHORT_LINE, begin = place; begin < length; size *= 2) {
      const end = Math.min(length, begin + size);
      const at = (await this.text.read(begin, end)).indexOf(LINE_FEED);
      if (at >= 0) return begin + at + 1;
      begin = end;
    }
    return length;
  }

  private async ownerKeyAt(line: number): Promise<string> {
    const text = (await this.text.read(line, Math.min(this.text.length, line + LONGEST_NAME + 2))).toString('latin1');
    // The line of an ALIAS is a comment.
    const head = text.startsWith(ALIAS_MARK) ? text.slice(ALIAS_MARK.length) : text;
    // Directives precede only lines of the apex. A name that begins with `$` is escaped.
    if (head.startsWith('$')) return this.apexKey;
    // Blanks and tabs within a name are escaped.
    return DomainName.parse(head.slice(0, head.search(/[\t ]/))).key;
  }
}
