import { Readable } from 'node:stream';
import type { HeldContent } from '../../database/render-cache/cached-content.js';
import type { Stated } from '../../database/render-cache/render-cache.js';

/** So much is read at a time, in octets. */
const PIECE = 65_536;

/** What is known of a text beside its octets. Its state is the number of the zone's last step in it. */
export interface TextContents extends Stated {
  /** Changes with what the text says. */
  readonly tag: string;
  readonly serial: number;
  /** How many records the zone had. */
  readonly recordCount: number;
  /** Where the lines of the first owner name begin, in octets. */
  readonly start: number;
  /** Whether nothing had to be left out. */
  readonly isWhole: boolean;
}

/** The text of an export in the hands of one reader, who releases it. */
export class ZoneText {
  private readonly whenReleased: (() => void)[] = [];

  constructor(private readonly held: HeldContent<TextContents>) {}

  get tag(): string {
    return this.held.about.tag;
  }

  get state(): number {
    return this.held.about.state;
  }

  get recordCount(): number {
    return this.held.about.recordCount;
  }

  /** In octets. */
  get length(): number {
    return this.held.octets.length;
  }

  /** All octets, where they are in memory. */
  get inMemory(): Buffer | null {
    return this.held.octets.inMemory;
  }

  /** All octets, read as fast as they are taken. */
  read(): Readable {
    return Readable.from(this.pieces(), { objectMode: false, highWaterMark: PIECE });
  }

  /** The same for one who does nothing but read: it is released with the stream. */
  readOnce(): Readable {
    return this.read().once('close', () => this.release());
  }

  onRelease(callback: () => void): void {
    this.whenReleased.push(callback);
  }

  release(): void {
    this.held.release();
    for (const callback of this.whenReleased.splice(0)) callback();
  }

  private async *pieces(): AsyncGenerator<Buffer> {
    const { octets } = this.held;
    for (let from = 0; from < octets.length; from += PIECE)
      yield await octets.read(from, Math.min(from + PIECE, octets.length));
  }
}
