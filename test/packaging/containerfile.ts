import { readFileSync } from 'node:fs';

/** One instruction of a Containerfile with its arguments. */
interface Instruction {
  readonly name: string;
  readonly value: string;
}

/** A build stage, which begins with FROM. */
export interface Stage {
  readonly image: string;
  /** By which a later one copies from it. */
  readonly alias: string | null;
  readonly instructions: readonly Instruction[];
}

/** Parses the used subset of the Containerfile format: no directives, no ARG, no here-documents. */
export function readContainerfile(path: string): readonly Stage[] {
  const stages: (Stage & { readonly instructions: Instruction[] })[] = [];
  const text = readFileSync(path, 'utf8')
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, '');
  for (const line of text.split('\n').filter((line) => line !== '')) {
    const [, name = '', value = ''] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
    if (name === 'FROM') {
      const [image = '', , alias = null] = value.split(/ +/);
      stages.push({ image, alias, instructions: [] });
    } else stages.at(-1)?.instructions.push({ name, value });
  }
  return stages;
}

/** The values of an instruction of this name, in their order. */
export function valuesOf({ instructions }: Stage, name: string): string[] {
  return instructions.filter((one) => one.name === name).map(({ value }) => value);
}

/** `NAME=value NAME=value` */
export function variablesOf(stage: Stage): Record<string, string> {
  return Object.fromEntries(
    valuesOf(stage, 'ENV').flatMap((value) => value.split(/ +/).map((one) => one.split('=', 2) as [string, string])),
  );
}

/** `["node", "main.js"]`, for a shell. */
export function commandOf(value: string): string {
  const words = JSON.parse(value) as readonly string[];
  return words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
}
