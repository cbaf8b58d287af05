import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ServiceError } from '../../common/service-error.js';

/** How much of a content stays in memory, in octets; what is longer goes to a file. */
const IN_MEMORY = 2 ** 20;
/** How much of the file is read at a time, in octets. */
const PIECE = 65_536;

/** Octets that may be read several times, also at the same time, until they are discarded. */
export interface SpooledOctets {
  readonly length: number;
  /** All of them, where they are in memory instead of in a file. */
  readonly inMemory: Buffer | null;
  /** @throws ServiceError `unavailable` when the file cannot be read */
  read(from: number, to: number): Promise<Buffer>;
  discard(): Promise<void>;
}

/**
 * Keeps text or octets for readers that take their time. What they are made from, which is a snapshot of the database, is
 * given up as soon as all of it has been taken.
 */
export class Spool {
  /** @param directory where contents that are longer than 1 MiB wait, in files without a name */
  constructor(private readonly directory: string) {}

  /**
   * Takes all pieces as fast as they come. The text waits until it is read, or destroyed.
   * @param gone ends it where nobody waits for the text any more
   * @throws ServiceError `unavailable` when the file cannot be written or nobody waits, and whatever `pieces` throws
   */
  async keep(pieces: AsyncIterable<string>, gone?: AbortSignal): Promise<Readable> {
    return (await this.take(pieces, gone)).read();
  }

  /** The same for several readers. */
  async keepOctets(pieces: AsyncIterable<string | Uint8Array>, gone?: AbortSignal): Promise<SpooledOctets> {
    return (await this.take(pieces, gone)).kept();
  }

  /** An empty text, for who has its pieces at other times than a reader asks for them. */
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

/** Text that waits for its reader. Whoever has begun it reads or discards it. */
export class SpooledText {
  private inMemory: Uint8Array[] = [];
  private octets = 0;
  private file: FileHandle | null = null;

  constructor(
    private readonly directory: string,
    private readonly gone?: AbortSignal,
  ) {}

  /** @throws ServiceError `unavailable` when the file cannot be written or nobody waits for the text any more */
  async add(text: string | Uint8Array): Promise<void> {
    if (this.gone?.aborted) throw new ServiceError('unavailable', 'The client has closed the connection.');
    const piece = typeof text === 'string' ? Buffer.from(text) : text;
    this.octets += piece.length;
    if (this.file !== null) return this.write(this.file, piece);
    this.inMemory.push(piece);
    if (this.octets > IN_MEMORY) await this.moveToFile();
  }

  /** All of it, once. */
  read(): Readable {
    if (this.file === null) return Readable.from(this.inMemory, { objectMode: false });
    return this.file.createReadStream({ start: 0, highWaterMark: PIECE });
  }

  /** All of it, for several readers; nothing is added any more. */
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

/** The name is taken away at once: whatever happens to the process, nothing is left behind. */
async function openNameless(directory: string): Promise<FileHandle> {
  const path = join(directory, `.zonewright-spool-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}

/** No space, no descriptors, no permission: all of them pass once the operator has done something. */
function unavailable(cause: unknown): ServiceError {
  const refusal = new ServiceError('unavailable', 'The text cannot be prepared at the moment; try again later.');
  refusal.cause = cause;
  return refusal;
}
