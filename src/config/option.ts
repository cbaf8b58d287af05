import type { Reader } from './readers.js';
import type { ConfigError } from './config-error.js';

/** Option of the configuration file. */
export interface Option<T> {
  readonly section: string;
  readonly name: string;
  /** As text; `''` if empty by default. */
  readonly default: string;
  readonly reader: Reader<T>;
  readonly meaning: string;
  /** Output must not show the value or a part of it. */
  readonly secret?: true;
}

export interface OptionTree {
  readonly [key: string]: Option<unknown> | OptionTree;
}

export type ValuesOf<Tree> = {
  readonly [Key in keyof Tree]: Tree[Key] extends Option<infer T> ? T : ValuesOf<Tree[Key]>;
};

/** Without a name, the key names the option. */
type DeclaredOption<T> = Omit<Option<T>, 'section' | 'name'> & Partial<Pick<Option<T>, 'name'>>;

type DeclaredOptions = Readonly<Record<string, DeclaredOption<unknown>>>;

type InSection<Options extends DeclaredOptions> = {
  readonly [Key in keyof Options]: Options[Key] extends DeclaredOption<infer T> ? Option<T> : never;
};

/** Declares the options of a section. Their names are their keys in snake case unless they have a `name`. */
export function inSection<Options extends DeclaredOptions>(section: string, options: Options): InSection<Options> {
  const entries = Object.entries(options).map(([key, declared]) => [
    key,
    { ...declared, name: declared.name ?? snakeCase(key), section },
  ]);
  // The compiler does not see through Object.entries.
  return Object.fromEntries(entries) as InSection<Options>;
}

/** @param text the default as in the configuration file */
export function option<T>(
  reader: Reader<T>,
  text: string,
  meaning: string,
  more: Partial<Pick<Option<T>, 'name' | 'secret'>> = {},
): DeclaredOption<T> {
  return { default: text, reader, meaning, ...more };
}

function snakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export type ReadOption = <T>(option: Option<T>) => T;

export function readTree<Tree extends OptionTree>(tree: Tree, read: ReadOption): ValuesOf<Tree> {
  const entries = Object.entries(tree).map(([key, member]) => [
    key,
    isOption(member) ? read(member) : readTree(member, read),
  ]);
  // The compiler does not see through Object.entries.
  return Object.fromEntries(entries) as ValuesOf<Tree>;
}

export function optionsIn(tree: OptionTree): Option<unknown>[] {
  return Object.values(tree).flatMap((member) => (isOption(member) ? [member] : optionsIn(member)));
}

function isOption(member: Option<unknown> | OptionTree): member is Option<unknown> {
  return typeof member.section === 'string';
}

/** Returns an injection token for option values. */
export function valuesOf<Tree extends OptionTree>(_options: Tree): abstract new () => ValuesOf<Tree> {
  // Never instantiated: Nest injects the values.
  return Object as abstract new () => ValuesOf<Tree>;
}

/** Such as `ZONEWRIGHT_SERVICE_API__LISTEN`, which identifies the option. */
export function variableName(section: string, name: string): string {
  return `ZONEWRIGHT_${section.replace(/[:-]/g, '_')}__${name}`.toUpperCase();
}

/** Rule for several options. The error names the option that is easiest to change. */
export interface Rule<Values> {
  readonly option: Option<unknown>;
  readonly isBroken: (values: Values) => boolean;
  readonly reason: string;
}

export type Refusal = (option: Option<unknown>, reason: string) => ConfigError;

/** @throws the first broken rule, as the error of `refusal` */
export function assertRules<Values>(rules: readonly Rule<Values>[], values: Values, refusal: Refusal): void {
  const broken = rules.find(({ isBroken }) => isBroken(values));
  if (broken !== undefined) throw refusal(broken.option, broken.reason);
}
