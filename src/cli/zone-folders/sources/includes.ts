import { messageOf, SourceError, type FolderFiles, type Place, type SourceText } from './source-text.js';
import type { Variables } from './variables.js';

/** Octets of a zone with its includes. Larger zones are imported with `zonewright zone import`. */
export const MAX_ZONE_OCTETS = 67_108_864;
const MAX_DEPTH = 8;
const MAX_INCLUDES = 1000;
/** Lines of a zone that has includes: each has a place in memory. */
const MAX_LINES = 1_000_000;

const DIRECTIVE = /^\$INCLUDE(?![A-Z])/i;
const INCLUDE = /^\$INCLUDE[ \t]+(?:"([^"]+)"|([^ \t;"()]+))(?:[ \t]+([^ \t;"()]+))?[ \t]*(?:;.*)?$/i;
const ORIGIN = /^\$ORIGIN[ \t]+([^ \t;"()]+)/i;

/** Reads a master file of the folder, with its variables and includes. @throws SourceError, Error */
export async function readMasterFile(
  files: FolderFiles,
  variables: Variables,
  file: string,
  zone: string,
): Promise<SourceText> {
  const expansion = new Expansion(files, variables);
  const text = await expansion.textOf(file);
  if (!/^\$INCLUDE/im.test(text)) return { text, placeOf: (line, column) => ({ file, line, ...at(column) }) };
  await expansion.add(file, text, zone, []);
  return expansion.result();
}

function at(column: number | undefined): Pick<Place, 'column'> {
  return column === undefined ? {} : { column };
}

/** Replaces each `$INCLUDE` by the lines of its file (RFC 1035 §5.1). */
class Expansion {
  private readonly lines: string[] = [];
  private readonly places: Place[] = [];
  private octets = 0;
  private includes = 0;

  constructor(
    private readonly files: FolderFiles,
    private readonly variables: Variables,
  ) {}

  async textOf(file: string): Promise<string> {
    const text = await this.files.read(file, MAX_ZONE_OCTETS);
    return this.variables.replaceIn(text, file, MAX_ZONE_OCTETS);
  }

  /** @param above the files that include this one */
  async add(file: string, text: string, zone: string, above: readonly string[]): Promise<void> {
    let origin = zone;
    let isOpen = false;
    let isBehindInclude = false;
    for (const [index, line] of text.split('\n').entries()) {
      const place = { file, line: index + 1 };
      const isEntry = !isOpen && /^[ \t]*[^ \t\r;]/.test(line);
      if (isEntry && isBehindInclude && /^[ \t]/.test(line))
        throw new SourceError(place, 'the first entry behind an $INCLUDE needs its owner name: write it');
      if (!isOpen && DIRECTIVE.test(line)) {
        await this.include(line.replace(/\r$/, ''), place, origin, [...above, file]);
        isBehindInclude = true;
        continue;
      }
      if (isEntry) isBehindInclude = false;
      const changed = isOpen ? undefined : ORIGIN.exec(line)?.[1];
      if (changed !== undefined) origin = absolute(changed, origin);
      isOpen = isOpenAfter(line, isOpen);
      this.push(line, place);
    }
  }

  result(): SourceText {
    const { places } = this;
    const last = places.at(-1) ?? { file: '', line: 1 };
    return {
      text: this.lines.join('\n'),
      placeOf: (line, column) => ({ ...(places[line - 1] ?? last), ...at(column) }),
    };
  }

  private async include(line: string, place: Place, origin: string, above: readonly string[]): Promise<void> {
    const [, inQuotes, plain, within] = INCLUDE.exec(line) ?? [];
    const file = inQuotes ?? plain;
    if (file === undefined) throw new SourceError(place, 'write $INCLUDE FILE, or $INCLUDE FILE ORIGIN');
    if (above.length > MAX_DEPTH)
      throw new SourceError(place, `files include each other more than ${MAX_DEPTH} levels deep`);
    if (++this.includes > MAX_INCLUDES) throw new SourceError(place, `a zone has at most ${MAX_INCLUDES} includes`);
    if (file.startsWith('/'))
      throw new SourceError(place, 'an include is a path inside the folder: write it without the first /');
    const text = await this.textOf(file).catch((error: unknown) => {
      throw error instanceof SourceError ? error : new SourceError(place, `${file}: ${messageOf(error)}`);
    });
    const inner = within === undefined ? origin : absolute(within, origin);
    if (within !== undefined) this.push(`$ORIGIN ${inner}`, place);
    await this.add(file, text, inner, above);
    this.push(`$ORIGIN ${origin}`, place);
  }

  private push(line: string, place: Place): void {
    this.octets += line.length + 1;
    if (this.octets > MAX_ZONE_OCTETS)
      throw new SourceError(place, `the zone has more than ${MAX_ZONE_OCTETS} octets with its includes`);
    if (this.lines.length === MAX_LINES)
      throw new SourceError(place, `the zone has more than ${MAX_LINES} lines with its includes`);
    this.lines.push(line);
    this.places.push(place);
  }
}

function absolute(name: string, origin: string): string {
  if (name === '@') return origin;
  if (name.endsWith('.')) return name;
  return origin === '.' ? `${name}.` : `${name}.${origin}`;
}

const MARKS = /\\.|"(?:\\.|[^"\\])*"?|;.*|[()]/g;

/** Whether a parenthesis is open behind the line. */
function isOpenAfter(line: string, isOpen: boolean): boolean {
  let open = isOpen;
  for (const [mark] of line.matchAll(MARKS)) {
    if (mark === '(') open = true;
    else if (mark === ')') open = false;
  }
  return open;
}
