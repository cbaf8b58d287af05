import { isScalar } from 'yaml';
import { messageOf, SourceError, type FolderFiles } from './source-text.js';
import { mappingOf, parseYaml } from './yaml-text.js';

export const VARIABLES_FILE = 'variables.yaml';

const MAX_FILE_OCTETS = 262_144;
const MAX_VALUE = 1024;
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
/** `$GENERATE` has `${0,3,d}`, which begins with a digit or a sign. */
const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** Replaces `${NAME}` in the text of files, before the text is parsed (behaviour 17.11). */
export class Variables {
  private constructor(private readonly values: ReadonlyMap<string, string>) {}

  /** @param given `NAME=VALUE`; they come before those of the file. @throws Error for a malformed variable */
  static async read(files: FolderFiles, hasFile: boolean, given: readonly string[]): Promise<Variables> {
    const values = hasFile ? await valuesIn(files) : new Map<string, string>();
    for (const text of given) {
      const [, name = '', value = ''] = /^([^=]*)=([^]*)$/.exec(text) ?? [];
      const fault = faultOf(name, value);
      if (fault !== null) throw new Error(`--var ${JSON.stringify(text)}: ${fault}`);
      values.set(name, value);
    }
    return new Variables(new Map([...values].map(([name, value]) => [name, Buffer.from(value).toString('latin1')])));
  }

  /** @throws SourceError for an unknown variable, and for a text that becomes too long */
  replaceIn(text: string, file: string, maxOctets: number): string {
    let size = text.length;
    return text.replace(REFERENCE, (reference, name: string, at: number) => {
      const value = this.values.get(name);
      const place = () => ({ file, line: lineAt(text, at) });
      if (value === undefined)
        throw new SourceError(
          place(),
          `the variable ${name} has no value: define it in ${VARIABLES_FILE} or with --var, or write the dollar sign as an escape`,
        );
      size += value.length - reference.length;
      if (size > maxOctets) throw new SourceError(place(), `the text has more than ${maxOctets} octets from here on`);
      return value;
    });
  }
}

async function valuesIn(files: FolderFiles): Promise<Map<string, string>> {
  const octets = await files.read(VARIABLES_FILE, MAX_FILE_OCTETS).catch((error: unknown) => {
    throw new Error(`${VARIABLES_FILE}: ${messageOf(error)}`);
  });
  const document = parseYaml(octets, VARIABLES_FILE);
  const values = new Map<string, string>();
  for (const { key, keyPlace, value, valuePlace } of mappingOf(document, document.root, 'the file')) {
    if (!isScalar(value)) throw new SourceError(valuePlace, `${key}: a variable is a text`);
    const text = String(value.value);
    const fault = faultOf(key, text);
    if (fault !== null) throw new SourceError(keyPlace, fault);
    values.set(key, text);
  }
  return values;
}

function faultOf(name: string, value: string): string | null {
  if (!NAME.test(name)) return `${JSON.stringify(name)} is no name of a variable: write letters, digits and _`;
  if (value.length > MAX_VALUE) return `the value of ${name} has more than ${MAX_VALUE} characters: shorten it`;
  return /\p{Cc}/u.test(value) ? `the value of ${name} has a control character or more than one line` : null;
}

function lineAt(text: string, at: number): number {
  let line = 1;
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', end + 1)) line += 1;
  return line;
}
