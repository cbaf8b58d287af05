import { readdir } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join, relative } from 'node:path';
import { groupedBy } from '../../common/grouped.js';
import { DomainName } from '../../dns/name.js';
import { toALabels } from '../../dns/labels.js';
import { masterFileOfYaml, MAX_YAML_OCTETS } from './octodns/octodns-reader.js';
import { MAX_ZONE_OCTETS, readMasterFile } from './sources/includes.js';
import { FolderFiles, isMissing, messageOf, SourceError, type SourceText } from './sources/source-text.js';
import { Variables, VARIABLES_FILE } from './sources/variables.js';

export type Format = 'zone' | 'yaml';

/** A zone of the folder, or the reason why its file cannot be one. */
export type FolderEntry =
  | { readonly file: string; readonly name: string; readonly format: Format; readonly fault: null }
  | { readonly file: string; readonly name: string; readonly fault: string };

/** The text of a zone as a master file. */
export interface FolderZone extends SourceText {
  /** Of the text with its variables and includes. */
  readonly digest: string;
}

const SUFFIX = /\.(zone|ya?ml)$/;

/** Zones that a folder describes, one file for each (behaviour 17.7). */
export class ZoneFolder {
  private constructor(
    private readonly directory: string,
    private readonly files: FolderFiles,
    private readonly variables: Variables,
    readonly entries: readonly FolderEntry[],
  ) {}

  /** @throws Error if the folder cannot be read or has no zone */
  static async open(directory: string, given: readonly string[]): Promise<ZoneFolder> {
    const files = await FolderFiles.open(directory).catch((error: unknown) => {
      throw new Error(`${directory}: ${isMissing(error) ? 'there is no such folder' : messageOf(error)}`);
    });
    const names = (await readdir(files.root)).toSorted();
    const variables = await Variables.read(files, names.includes(VARIABLES_FILE), given).catch((error: unknown) => {
      throw error instanceof SourceError ? new Error(shownIn(directory, error.message)) : error;
    });
    const entries = withoutTwins(names.filter(isZoneFile).map(entryOf));
    if (entries.length > 0) return new ZoneFolder(directory, files, variables, entries);
    throw new Error(`${directory} has no zone: name the files like example.org.zone or example.org.yaml`);
  }

  /** Path of a file for messages. */
  pathOf(file: string): string {
    return shownIn(this.directory, file);
  }

  /** @throws SourceError, AggregateError of SourceErrors, Error */
  async read({ file, name, format }: FolderEntry & { readonly format: Format }): Promise<FolderZone> {
    if (format === 'zone') return withDigest(await readMasterFile(this.files, this.variables, file, name));
    const octets = await this.files.read(file, MAX_YAML_OCTETS);
    const text = this.variables.replaceIn(octets, file, MAX_YAML_OCTETS);
    const converted = masterFileOfYaml(text, file, name);
    if (converted.text.length > MAX_ZONE_OCTETS) throw new Error(`the zone has more than ${MAX_ZONE_OCTETS} octets`);
    return withDigest(converted);
  }
}

function shownIn(directory: string, file: string): string {
  return relative('', join(directory, file));
}

function withDigest(source: SourceText): FolderZone {
  return { ...source, digest: createHash('sha256').update(source.text, 'latin1').digest('base64url') };
}

/** As for octoDNS, YAML of one label such as `variables.yaml` is no zone. `..zone` is the root. */
function isZoneFile(name: string): boolean {
  if (name === '..zone') return true;
  return SUFFIX.test(name) && !name.startsWith('.') && (name.endsWith('.zone') || name.split('.').length > 2);
}

/** octoDNS names files of internationalized names in Unicode. */
function entryOf(file: string): FolderEntry {
  const stem = file.replace(SUFFIX, '');
  const ascii = /[^\0-\x7f]/.test(stem) ? (toALabels(stem) ?? stem) : stem;
  const format = file.endsWith('.zone') ? 'zone' : 'yaml';
  try {
    return { file, name: DomainName.parse(ascii, DomainName.ROOT).toString(), format, fault: null };
  } catch (error) {
    return { file, name: stem, fault: `the name of the file is not that of a zone: ${messageOf(error)}` };
  }
}

function withoutTwins(entries: readonly FolderEntry[]): FolderEntry[] {
  const files = groupedBy(entries, ({ name }) => name.toLowerCase());
  return entries.map((entry) => {
    const others = (files.get(entry.name.toLowerCase()) ?? []).filter((other) => other !== entry);
    if (others.length === 0 || entry.fault !== null) return entry;
    const { file, name } = entry;
    return { file, name, fault: `${name} is also in ${others.map((other) => other.file).join(', ')}: keep one file` };
  });
}
