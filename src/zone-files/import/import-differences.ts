import type { Readable } from 'node:stream';
import type { Instant } from '../../common/clock.js';
import type { Spool, SpooledText } from '../../database/render-cache/spool.js';
import { type Difference, differenceOf } from '../../history/record-differences.js';
import type { RecordSnapshot } from '../../zones/journal/journal-format.js';
import type { RecordedStep, ZoneChange } from '../../zones/changes/zone-change.js';

/** Characters that are written together; others have the event loop between two writes. */
const PIECE = 262_144;

/** All that an import makes different in a record. */
type Touch = Pick<RecordSnapshot, 'ttl' | 'version' | 'updatedAt'>;

/** A record before and after, as a line of the text has it. */
type Line = readonly [before: RecordSnapshot | null, after: RecordSnapshot | null];

/**
 * What an import would do, written down outside of memory while it is tried. In memory are those records only that the file
 * has more than once, with one ttl after the other.
 */
export class ImportDifferences {
  private text: SpooledText;
  private touchedAgain = new Map<string, Touch>();

  /** @param gone ends the work where nobody waits for the differences any more */
  constructor(
    private readonly spool: Spool,
    private readonly gone?: AbortSignal,
  ) {
    this.text = spool.begin(gone);
  }

  /** Begins, or begins anew: a change may be run a second time. */
  async watch(change: ZoneChange): Promise<void> {
    await this.discard();
    this.text = this.spool.begin(this.gone);
    this.touchedAgain = new Map();
    change.watch((steps) => this.writeDown(steps, change.zone.changedAt));
  }

  discard(): Promise<void> {
    return this.text.discard();
  }

  /** The net differences, in the order in which the import would make them, once. */
  read(): ReadDifferences {
    const text = this.text.read();
    return new ReadDifferences(text, this.touchedAgain);
  }

  /** @param begun before it is all that the import has not touched */
  private async writeDown(steps: readonly RecordedStep[], begun: Instant): Promise<void> {
    let lines = '';
    for (const { action, before, after } of steps) {
      if (!action.startsWith('record.')) continue;
      // All of these steps are of records, never of the zone.
      const line = [before, after] as Line;
      if (isTouchedBefore(line, begun)) this.touchAgain(line);
      else lines += `${JSON.stringify(line)}\n`;
      if (lines.length < PIECE) continue;
      await this.text.add(lines);
      lines = '';
    }
    await this.text.add(lines);
  }

  private touchAgain([, after]: Line): void {
    if (after === null) return;
    const { id, ttl, version, updatedAt } = after;
    this.touchedAgain.set(id, { ttl, version, updatedAt });
  }
}

/** Differences that are read from a text. */
export class ReadDifferences {
  constructor(
    private readonly text: Readable,
    private readonly touchedAgain: ReadonlyMap<string, Touch>,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Difference> {
    for await (const line of linesOf(this.text)) {
      // Nobody but `ImportDifferences` writes the text.
      const [before, first] = JSON.parse(line) as Line;
      const after = first && { ...first, ...this.touchedAgain.get(first.id) };
      const difference = differenceOf(before, after);
      if (difference !== null) yield difference;
    }
  }

  /** For readers that stop early. */
  destroy(): void {
    this.text.destroy();
  }
}

function isTouchedBefore([before]: Line, begun: Instant): boolean {
  return before !== null && (before.updatedAt ?? before.createdAt) > begun;
}

/** No line is empty. */
async function* linesOf(text: Readable): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of text.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
