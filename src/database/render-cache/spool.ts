import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ServiceError } from '../../common/service-error.js';

/** In octets; a longer content goes to a file. */
const IN_MEMORY = 2 ** 20;
const PIECE = 65_536;

/** For several concurrent readers, until discarded. */
export interface SpooledOctets {
  readonly length: number;
  /** `null` if they are in a file. */
  readonly inMemory: Buffer | null;
  /** @throws ServiceError `unavailable` */
  read(from: number, to: number): Promise<Buffer>;
  discard(): Promise<void>;
}

/** Buffers a stream for slow readers, so that its database snapshot ends early. */
export class Spool {
  constructor(private readonly directory: string) {}

  /**
   * Reads all pieces at full speed.
   * @param gone aborts when no reader is left
   * @throws ServiceError `unavailable` if the file cannot be written or no reader is left, and the errors of `pieces`
   */
  async keep(pieces: AsyncIterable<string>, gone?: AbortSignal): Promise<Readable> {
    return (await this.take(pieces, gone)).read();
  }

  async keepOctets(pieces: AsyncIterable<string | Uint8Array>, gone?: AbortSignal): Promise<SpooledOctets> {
    return (await this.take(pieces, gone)).kept();
  }

  /** For a writer at its own pace. */
  begin(gone?: AbortSignal): SpooledText {
    return new SpooledText(this.directory, gone);
  }

  private async take(pieces: AsyncIterable<string | Uint8Array>, gone?: AbortSignal): Promise<SpooledText> {
    const text = this.begin(gone);
    try {
      for await (const piece of pieces) await text.add(piece);
      return text;
    } catch (error) {
      await text.discard();
      throw error;
    }
  }
}

/** The creator must read or discard it. */
export class SpooledText {
  private inMemory: Uint8Array[] = [];
  private octets = 0;
  private file: FileHandle | null = null;

  constructor(
    private readonly directory: string,
    private readonly gone?: AbortSignal,
  ) {}

  /** @throws ServiceError `unavailable` if the file cannot be written or no reader is left */
  async add(text: string | Uint8Array): Promise<void> {
    if (this.gone?.aborted) throw new ServiceError('unavailable', 'The client has closed the connection.');
    const piece = typeof text === 'string' ? Buffer.from(text) : text;
    this.octets += piece.length;
    if (this.file !== null) return this.write(this.file, piece);
    this.inMemory.push(piece);
    if (this.octets > IN_MEMORY) await this.moveToFile();
  }

  /** Can be read once. */
  read(): Readable {
    if (this.file === null) return Readable.from(this.inMemory, { objectMode: false });
    return this.file.createReadStream({ start: 0, highWaterMark: PIECE });
  }

  /** For several readers; no text may be added afterwards. */
  kept(): SpooledOctets {
    return this.file === null ? new OctetsInMemory(this.inMemory) : new OctetsOnDisk(this.file, this.octets);
  }

  async discard(): Promise<void> {
    this.inMemory = [];
    await this.file?.close();
  }

  private async moveToFile(): Promise<void> {
    const octets = Buffer.concat(this.inMemory);
    this.inMemory = [];
    try {
      this.file = await openNameless(this.directory);
    } catch (error) {
      throw unavailable(error);
    }
    await this.write(this.file, octets);
  }

  private async write(file: FileHandle, octets: Uint8Array): Promise<void> {
    try {
      await file.appendFile(octets);
    } catch (error) {
      throw unavailable(error);
    }
  }
}

class OctetsInMemory implements SpooledOctets {
  readonly inMemory: Buffer;

  constructor(pieces: readonly Uint8Array[]) {
    this.inMemory = Buffer.concat(pieces);
  }

  get length(): number {
    return this.inMemory.length;
  }

  read(from: number, to: number): Promise<Buffer> {
    return Promise.resolve(this.inMemory.subarray(from, to));
  }

  discard(): Promise<void> {
    return Promise.resolve();
  }
}

class OctetsOnDisk implements SpooledOctets {
  readonly inMemory = null;

  constructor(
    private readonly file: FileHandle,
    readonly length: number,
  ) {}

  async read(from: number, to: number): Promise<Buffer> {
    try {
      const { bytesRead, buffer } = await this.file.read(Buffer.allocUnsafeSlow(to - from), 0, to - from, from);
      return buffer.subarray(0, bytesRead);
    } catch (error) {
      throw unavailable(error);
    }
  }

  discard(): Promise<void> {
    return this.file.close();
  }
}

/** Unlinks the file immediately, so that even a crash leaves nothing behind. */
async function openNameless(directory: string): Promise<FileHandle> {
  const path = join(directory, `.zonewright-spool-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}

/** An operator can fix all of these. */
function unavailable(cause: unknown): ServiceError {
  const refusal = new ServiceError('unavailable', 'The text cannot be prepared at the moment; try again later.');
  refusal.cause = cause;
  return refusal;
}
