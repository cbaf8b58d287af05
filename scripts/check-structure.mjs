#!/usr/bin/env node
/**
 * Prints the measures of the structure of src and fails where one is above its limit in structure.json.
 * `npm run structure -- [--list MEASURE] [--update] [FOLDER...]`: `--list` names the places that a measure counts, `--update`
 * lowers the limits to the present counts, and folders restrict the measures to a part of src, without limits.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import ts from 'typescript';

const TINY_LINES = 20;
const MANY_PARAMETERS = 8;
const PHRASES = /\b(?:what (?:is|was|has)|whoever|nobody|so (?:many|long)|the same (?:of|for|as))\b/i;
const COMMENT = /^\s*(?:\*|\/\*|\/\/).*|(?<=\s)\/\/ .*/;
/** The table rows of this page are the files that a create of version 1 passes through. */
const REQUEST_PAGE = 'docs/follow-one-post.md';

const { values, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: { list: { type: 'string' }, update: { type: 'boolean' }, root: { type: 'string' } },
});
const root = path.resolve(values.root ?? path.join(path.dirname(fileURLToPath(import.meta.url)), '..'));
const limitsFile = path.join(root, 'scripts/structure.json');
const files = sourceFiles();
const shown = files.filter(
  ({ name }) => folders.length === 0 || folders.some((folder) => name.startsWith(`${folder.replace(/\/$/, '')}/`)),
);
const importers = importersOf(files);

const measures = {
  files: shown.map(({ name }) => name),
  lines: shown.flatMap(({ name, lines }) => Array.from(lines, (_, at) => `${name}:${at + 1}`)),
  'files under 20 lines': shown.filter(({ lines }) => lines.length < TINY_LINES).map(({ name }) => name),
  'files with one importer, of their folder': shown.map(({ name }) => name).filter(hasOneImporterBeside),
  'constructors with 8 or more parameters': shown.flatMap(wideConstructors),
  'types named ...Change(s)': shown.flatMap(changeTypes),
  'comment lines with vague phrases': shown.flatMap(vagueComments),
  'folders that import each other': folders.length === 0 ? mutualImports() : [],
  'files of a version 1 create': folders.length === 0 ? requestFiles() : [],
};

if (values.list !== undefined) printList(values.list);
else if (folders.length > 0) printMeasures();
else holdLimits();

function sourceFiles() {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', 'src'], {
    cwd: root,
    encoding: 'utf8',
  });
  return listed
    .split('\n')
    .filter((name) => /(?<!\.spec)\.ts$/.test(name) && existsSync(path.join(root, name)))
    .map((name) => {
      const text = readFileSync(path.join(root, name), 'utf8');
      return {
        name,
        lines: text.trimEnd().split('\n'),
        source: ts.createSourceFile(name, text, ts.ScriptTarget.Latest),
      };
    });
}

/** The importers of each file, type imports included. */
function importersOf(all) {
  const found = new Map(all.map(({ name }) => [name, new Set()]));
  for (const { name, source } of all) for (const target of importsOf(name, source)) found.get(target)?.add(name);
  return found;
}

function importsOf(name, source) {
  const found = [];
  const add = ({ text }) => {
    if (text.startsWith('.')) found.push(path.posix.join(path.posix.dirname(name), text).replace(/\.js$/, '.ts'));
  };
  const visit = (node) => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier)
      add(node.moduleSpecifier);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      if (ts.isStringLiteralLike(node.arguments[0])) add(node.arguments[0]);
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function hasOneImporterBeside(name) {
  const [importer, ...others] = importers.get(name);
  return importer !== undefined && others.length === 0 && path.dirname(importer) === path.dirname(name);
}

function wideConstructors({ name, source }) {
  const found = [];
  const visit = (node) => {
    if (ts.isConstructorDeclaration(node) && node.parameters.length >= MANY_PARAMETERS)
      found.push(`${name}: ${node.parent?.name?.text ?? 'constructor'} ${node.parameters.length}`);
    ts.forEachChild(node, (child) => {
      child.parent = node;
      visit(child);
    });
  };
  visit(source);
  return found;
}

function changeTypes({ name, source }) {
  return source.statements
    .filter((node) => ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node))
    .flatMap((node) => (/Changes?$/.test(node.name?.text ?? '') ? [`${name}: ${node.name.text}`] : []));
}

function vagueComments({ name, lines }) {
  return lines.flatMap((line, at) => (PHRASES.test(COMMENT.exec(line)?.[0] ?? '') ? [`${name}:${at + 1}`] : []));
}

/** Pairs of folders of src, each with an import from the one that has fewer of them. */
function mutualImports() {
  const folderOf = (name) => (name.split('/').length > 2 ? name.split('/')[1] : '');
  const arrows = new Map();
  for (const [target, from] of importers)
    for (const importer of from) {
      const [left, right] = [folderOf(importer), folderOf(target)];
      if (left === right || left === '' || right === '') continue;
      const key = `${left} -> ${right}`;
      arrows.set(key, [...(arrows.get(key) ?? []), `${importer} imports ${target}`]);
    }
  return [...arrows].flatMap(([key, found]) => {
    const [left, right] = key.split(' -> ');
    const back = arrows.get(`${right} -> ${left}`);
    const isMinor =
      back !== undefined && (found.length < back.length || (found.length === back.length && left < right));
    return isMinor ? [`${key}: ${found.length}, such as ${found[0]}`] : [];
  });
}

function requestFiles() {
  const page = path.join(root, REQUEST_PAGE);
  if (!existsSync(page)) return [];
  const steps = readFileSync(page, 'utf8').split('## The request arrives')[1] ?? '';
  return steps.split('\n').filter((line) => /^\| (?:\*\*)?`/.test(line));
}

function printList(measure) {
  const name = Object.keys(measures).find((known) => known.includes(measure));
  if (name === undefined) throw new Error(`no measure "${measure}"; known are: ${Object.keys(measures).join('; ')}`);
  for (const place of measures[name]) console.log(place);
}

function printMeasures() {
  for (const [name, found] of Object.entries(measures)) console.log(`${String(found.length).padStart(7)} ${name}`);
}

function holdLimits() {
  const limits = JSON.parse(readFileSync(limitsFile, 'utf8'));
  for (const [name, found] of Object.entries(measures)) {
    const { most, goal } = limits[name];
    console.log(`${String(found.length).padStart(7)} ${name}, at most ${most}${most > goal ? `, goal ${goal}` : ''}`);
    if (found.length <= most) continue;
    console.error(`${name}: ${found.length}, at most ${most}; "npm run structure -- --list '${name}'" names them`);
    process.exitCode = 1;
  }
  if (!values.update) return;
  const lowered = Object.entries(limits).map(([name, { most, goal }]) => [
    name,
    { most: Math.max(goal, Math.min(most, measures[name].length)), goal },
  ]);
  writeFileSync(limitsFile, `${JSON.stringify(Object.fromEntries(lowered), null, 2)}\n`);
}
