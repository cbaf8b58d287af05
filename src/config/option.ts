import type { Reader } from './readers.js';

/** One line of the configuration. */
export interface Option<T> {
  readonly section: string;
  readonly name: string;
  /** as text; '' for an option that is empty unless it is set */
  readonly default: string;
  readonly reader: Reader<T>;
  readonly meaning: string;
  /** the value, or a part of it, must not be shown */
  readonly secret?: true;
}

/** Options by the names that code has for them. */
export interface OptionTree {
  readonly [key: string]: Option<unknown> | OptionTree;
}

/** What the options of a tree are set to. */
export type ValuesOf<Tree> = {
  readonly [Key in keyof Tree]: Tree[Key] extends Option<infer T> ? T : ValuesOf<Tree[Key]>;
};

/** Options that do not say their section yet. */
type WithoutSection = Readonly<Record<string, Omit<Option<unknown>, 'section'>>>;

type InSection<Options extends WithoutSection> = {
  readonly [Key in keyof Options]: Options[Key] extends Omit<Option<infer T>, 'section'> ? Option<T> : never;
};

/** Declares options of one section; the types of their values follow from their readers. */
export function inSection<Options extends WithoutSection>(section: string, options: Options): InSection<Options> {
  const entries = Object.entries(options).map(([key, option]) => [key, { ...option, section }]);
  // The compiler does not see through Object.entries.
  return Object.fromEntries(entries) as InSection<Options>;
}

/** Returns the value of an option, wherever it is set. */
export type ReadOption = <T>(option: Option<T>) => T;

/** @throws what `read` throws for the first option that it cannot read */
export function readTree<Tree extends OptionTree>(tree: Tree, read: ReadOption): ValuesOf<Tree> {
  const entries = Object.entries(tree).map(([key, member]) => [
    key,
    isOption(member) ? read(member) : readTree(member, read),
  ]);
  // As above.
  return Object.fromEntries(entries) as ValuesOf<Tree>;
}

/** The options of a tree, in its order. */
export function optionsIn(tree: OptionTree): Option<unknown>[] {
  return Object.values(tree).flatMap((member) => (isOption(member) ? [member] : optionsIn(member)));
}

function isOption(member: Option<unknown> | OptionTree): member is Option<unknown> {
  return typeof member.section === 'string';
}

/** A class that stands for the values of options where Nest injects them. */
export function valuesOf<Tree extends OptionTree>(_options: Tree): abstract new () => ValuesOf<Tree> {
  // Nobody makes one: what is injected are the values themselves.
  return Object as abstract new () => ValuesOf<Tree>;
}

/** The name of an option in the environment, as `ZONEWRIGHT_SERVICE_API__LISTEN`. Options are identified by it. */
export function variableName(section: string, name: string): string {
  return `ZONEWRIGHT_${section.replace(/[:-]/g, '_')}__${name}`.toUpperCase();
}
