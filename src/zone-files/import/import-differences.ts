import type { Readable } from 'node:stream';
import type { Instant } from '../../common/clock.js';
import type { Spool, SpooledText } from '../../database/render-cache/spool.js';
import { type Difference, differenceOf } from '../../history/record-differences.js';
import type { RecordSnapshot } from '../../plugins/change-listener.js';
import type { RecordedStep, ZoneChange } from '../../zones/changes/zone-change.js';

/** Characters; the event loop runs between two writes. */
const PIECE = 262_144;

type Touch = Pick<RecordSnapshot, 'ttl' | 'version' | 'updatedAt'>;

type Line = readonly [before: RecordSnapshot | null, after: RecordSnapshot | null];

/** Spools the changes of a dry run. Memory has only records that occur more than once, with different ttls. */
export class ImportDifferences {
  private text: SpooledText;
  private touchedAgain = new Map<string, Touch>();

  constructor(
    private readonly spool: Spool,
    private readonly gone?: AbortSignal,
  ) {
    this.text = spool.begin(gone);
  }

  /** A change may run twice. */
  async watch(change: ZoneChange): Promise<void> {
    await this.discard();
    this.text = this.spool.begin(this.gone);
    this.touchedAgain = new Map();
    change.watch((steps) => this.writeDown(steps, change.zone.changedAt));
  }

  discard(): Promise<void> {
    return this.text.discard();
  }

  /** Reads the net differences once, in the order of the import. */
  read(): ReadDifferences {
    const text = this.text.read();
    return new ReadDifferences(text, this.touchedAgain);
  }

  /** @param begun earlier records were not touched by the import */
  private async writeDown(steps: readonly RecordedStep[], begun: Instant): Promise<void> {
    let lines = '';
    for (const { action, before, after } of steps) {
      if (!action.startsWith('record.')) continue;
      // These steps are of records only.
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

export class ReadDifferences {
  constructor(
    private readonly text: Readable,
    private readonly touchedAgain: ReadonlyMap<string, Touch>,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Difference> {
    for await (const line of linesOf(this.text)) {
      // Only `ImportDifferences` writes the text.
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

async function* linesOf(text: Readable): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of text.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
