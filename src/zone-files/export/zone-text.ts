import { Readable } from 'node:stream';
import type { HeldContent } from '../../database/render-cache/content-cache.js';
import type { Stated } from '../../database/render-cache/render-cache.js';
import type { Transaction } from '../../database/transaction.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';

const PIECE = 65_536;

/** Its state is the number of the zone's last step in it. */
export interface TextContents extends Stated {
  readonly tag: string;
  readonly serial: number;
  readonly recordCount: number;
  /** Offset in octets of the first owner name. */
  readonly start: number;
  /** No record was omitted. */
  readonly isWhole: boolean;
}

/** The text of an export for one reader, who releases it. */
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

  /** `null` if not all octets are in memory. */
  get inMemory(): Buffer | null {
    return this.held.octets.inMemory;
  }

  read(): Readable {
    return Readable.from(this.pieces(), { objectMode: false, highWaterMark: PIECE });
  }

  /** Releases the text with the stream. */
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

/** Port: renders the published text of signed zones. */
export abstract class SignedTexts {
  abstract lines(tx: Transaction, zone: ZoneEntity): AsyncIterable<string>;
}
