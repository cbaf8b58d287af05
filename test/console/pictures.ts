import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { PNG } from 'pngjs';

/** The share of the pixels of a picture that may differ. Antialiasing does not count. */
const TOLERANCE = 0.001;
const RECORD = 'pictures.json';
const COMPARER = join(process.cwd(), 'test/console/picture-difference.js');

interface PictureRecord {
  /** The width of a text in the fonts of the pages. */
  readonly fonts: string;
  /** Checksums of the screenshots: an equal one needs no comparison of pixels. */
  readonly sums: Readonly<Record<string, string>>;
}

/** Pixels in RGBA. */
interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** The stored pictures of a folder. Compares new ones with them, or replaces them. */
export class Pictures {
  private readonly sums = new Map<string, string>();
  private readonly stored: PictureRecord | null;
  private failures: string | null = null;

  constructor(
    private readonly folder: string,
    readonly isUpdate: boolean,
  ) {
    if (isUpdate) mkdirSync(folder, { recursive: true });
    const place = join(folder, RECORD);
    this.stored = existsSync(place) ? (JSON.parse(readFileSync(place, 'utf8')) as PictureRecord) : null;
  }

  /** @returns the fault of the picture, if it has one */
  take(name: string, png: Buffer): string | null {
    const sum = createHash('sha256').update(png).digest('base64url').slice(0, 16);
    this.sums.set(name, sum);
    if (!this.isUpdate && this.stored?.sums[name] === sum && existsSync(this.placeOf(name))) return null;
    if (this.isUpdate) {
      writeFileSync(this.placeOf(name), withPalette(PNG.sync.read(png)));
      return null;
    }
    if (!existsSync(this.placeOf(name))) return `${name}: no stored picture; run npm run docs:console`;
    this.failures ??= mkdtempSync(join(tmpdir(), 'zonewright-pictures-'));
    const [actual, difference] = ['actual', 'difference'].map((kind) =>
      join(this.failures ?? '', `${name}-${kind}.png`),
    ) as [string, string];
    writeFileSync(actual, png);
    const found = execFileSync(process.execPath, [COMPARER, this.placeOf(name), actual, difference], {
      encoding: 'utf8',
    }).trim();
    if (Number(found) <= TOLERANCE) return null;
    if (Number.isNaN(Number(found))) return `${name}: ${found}; see ${actual}`;
    return `${name}: ${(100 * Number(found)).toFixed(2)} % of the pixels differ; see ${actual} and ${difference}`;
  }

  /** @returns why the stored pictures cannot be compared with these fonts, or `null` */
  hindranceWith(fonts: string): string | null {
    if (this.isUpdate || this.stored?.fonts === fonts) return null;
    const stored = this.stored?.fonts ?? 'none';
    return `pictures are not compared: they were taken with other fonts (${stored} px, here ${fonts} px)`;
  }

  /** Ends an update. @returns stored pictures that nothing takes any more, which an update removes */
  finish(fonts: string): string[] {
    const left = readdirSync(this.folder).filter((file) => file.endsWith('.png') && !this.sums.has(file.slice(0, -4)));
    if (!this.isUpdate) return left.map((file) => `${file}: no view takes this picture`);
    for (const file of left) rmSync(join(this.folder, file));
    const record: PictureRecord = { fonts, sums: Object.fromEntries([...this.sums].sort()) };
    writeFileSync(join(this.folder, RECORD), `${JSON.stringify(record, null, 2)}\n`);
    return [];
  }

  private placeOf(name: string): string {
    return join(this.folder, `${name}.png`);
  }
}

const MOST_COLORS = 256;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A PNG with a palette, a fifth of the size. Rare colors become the next one. */
function withPalette({ width, height, data }: Picture): Buffer {
  const pixels = Uint32Array.from({ length: width * height }, (_, at) => colorAt(data, at * 4));
  const counts = new Map<number, number>();
  for (const color of pixels) counts.set(color, (counts.get(color) ?? 0) + 1);
  const palette = [...counts.keys()].sort((one, other) => countOf(other) - countOf(one)).slice(0, MOST_COLORS);
  const indexes = new Map(palette.map((color, index) => [color, index]));
  for (const color of counts.keys()) if (!indexes.has(color)) indexes.set(color, nearest(color));
  const lines = Buffer.alloc((width + 1) * height);
  for (const [at, color] of pixels.entries()) lines[Math.floor(at / width) + 1 + at] = indexes.get(color) ?? 0;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits, of a palette.
  header.set([8, 3, 0, 0, 0], 8);
  const chunks = [
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(partsOf))),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([SIGNATURE, ...chunks]);

  function countOf(color: number): number {
    return counts.get(color) ?? 0;
  }
  function nearest(color: number): number {
    const distances = palette.map((one) => distance(one, color));
    return distances.indexOf(Math.min(...distances));
  }
}

const colorAt = (data: Uint8Array, at: number): number =>
  ((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0);
const partsOf = (color: number): number[] => [color >> 16, (color >> 8) & 255, color & 255];

function distance(one: number, other: number): number {
  const parts = partsOf(other);
  return partsOf(one).reduce((sum, part, index) => sum + (part - (parts[index] ?? 0)) ** 2, 0);
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
