#!/usr/bin/env node
/**
 * Finds names and phrases that this repository has given up, and prints their replacements. The list is words.json:
 * `identifiers` are banned everywhere, `declarations` as names that src declares, `files` as ends of file names in src, or as
 * folders, and `phrases` in comments, documents and commit subjects. The lines with a phrase may only become fewer: `--update`
 * lowers the limits to the present counts.
 * `npm run words -- [--update] [DIRECTORY]`
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDERS = ['src', 'test', 'console', 'bench', 'examples', 'docs', 'README.md', 'CONTRIBUTING.md'];
/** Generated files, and migrations, whose names are in databases. */
const LEFT_ALONE =
  /^(src\/database\/migrations\/|docs\/openapi|docs\/extending\/api\/|docs\/reference\/|console\/api\/openapi\.d\.ts$)/;
const READ = /\.(ts|tsx|js|mjs|cjs|py|md)$/;
const DECLARED = /\b(?:class|interface|type|enum|function\*?|const|let)\s+(\w+)/g;
const COMMENT = /^\s*(?:\*|\/\*|\/\/).*|(?<=\s)\/\/ .*/;

const isUpdate = process.argv.includes('--update');
const given = process.argv.slice(2).find((argument) => !argument.startsWith('--'));
const root = path.resolve(given ?? path.join(path.dirname(fileURLToPath(import.meta.url)), '..'));
const list = path.join(root, 'scripts/words.json');
const words = JSON.parse(readFileSync(list, 'utf8'));
const identifiers = new Map(Object.entries(words.identifiers));
const declarations = new Map(Object.entries(words.declarations));
const phrases = words.phrases.map((phrase) => ({
  ...phrase,
  re: new RegExp(`\\b(?:${phrase.pattern})\\b`, 'i'),
  hits: [],
}));
const complaints = [];

for (const file of trackedFiles()) {
  checkName(file);
  if (READ.test(file)) checkText(file, readFileSync(path.join(root, file), 'utf8'));
}
for (const { hash, subject } of subjects()) checkSubject(hash, subject);
holdPhrases();
for (const complaint of complaints) console.error(complaint);
if (complaints.length > 0) process.exitCode = 1;

function git(...args) {
  return execFileSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** With files that are not committed yet. */
function trackedFiles() {
  return git('ls-files', '--cached', '--others', '--exclude-standard', '--', ...FOLDERS)
    .split('\n')
    .filter((file) => file !== '' && !LEFT_ALONE.test(file) && existsSync(path.join(root, file)));
}

function checkName(file) {
  for (const [old, use] of Object.entries(words.files)) {
    const isBanned = old.endsWith('/') ? file.startsWith(old) : file.startsWith('src/') && file.endsWith(old);
    if (isBanned) complaints.push(`${file}: "${old}": use ${use}`);
  }
}

function checkText(file, text) {
  const isDocument = file.endsWith('.md');
  let isInFence = false;
  for (const [at, line] of text.split('\n').entries()) {
    const place = `${file}:${at + 1}`;
    for (const [word] of line.matchAll(/[A-Za-z_]\w+/g)) complainOf(place, word, identifiers.get(word));
    if (file.startsWith('src/'))
      for (const [, word] of line.matchAll(DECLARED)) complainOf(place, word, declarations.get(word));
    if (isDocument && line.startsWith('```')) isInFence = !isInFence;
    const prose = isDocument ? (isInFence ? '' : line) : (COMMENT.exec(line)?.[0] ?? '');
    if (prose !== '') for (const phrase of phrases) if (phrase.re.test(prose)) phrase.hits.push(place);
  }
}

function complainOf(place, word, use) {
  if (use !== undefined) complaints.push(`${place}: "${word}": use ${use}`);
}

/** Commits of the branch; on main, or without one, the last commit. */
function subjects() {
  try {
    const range = git('rev-list', '--count', 'main..HEAD').trim() === '0' ? ['-1', 'HEAD'] : ['main..HEAD'];
    return git('log', '--no-merges', '--format=%h %s', ...range)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => ({ hash: line.slice(0, line.indexOf(' ')), subject: line.slice(line.indexOf(' ') + 1) }));
  } catch {
    return lastSubject();
  }
}

function lastSubject() {
  try {
    const [hash, subject] = git('log', '-1', '--format=%h%n%s').split('\n');
    return [{ hash, subject }];
  } catch {
    // A folder without history.
    return [];
  }
}

/** A commit that renames something names it. */
function checkSubject(hash, subject) {
  const place = `commit ${hash}`;
  for (const [word] of subject.startsWith('Rename ') ? [] : subject.matchAll(/[A-Za-z_]\w+/g))
    complainOf(place, word, identifiers.get(word));
  for (const { re, use } of phrases) {
    const found = re.exec(subject);
    if (found !== null) complainOf(place, found[0], use);
  }
}

/** Names the added lines of this change, if git knows them. */
function holdPhrases() {
  const added = addedLines();
  for (const { pattern, use, most, hits } of phrases) {
    console.log(`${String(hits.length).padStart(5)} lines with "${pattern}", at most ${most}`);
    if (hits.length <= most) continue;
    complaints.push(`${hits.length} lines with "${pattern}", at most ${most}: use ${use}`);
    for (const place of hits.filter((hit) => added.has(hit) || added.has(hit.slice(0, hit.lastIndexOf(':')))))
      complaints.push(`${place}: "${pattern}": use ${use}`);
  }
  if (!isUpdate) return;
  const limits = phrases.map(({ pattern, use, most, hits }) => ({ pattern, use, most: Math.min(most, hits.length) }));
  writeFileSync(list, `${JSON.stringify({ ...words, phrases: limits }, null, 2)}\n`);
}

/** `file:line` of all lines that differ from main, or from the commit before the last; `file` of a file that git does not track. */
function addedLines() {
  const added = new Set(git('ls-files', '--others', '--exclude-standard', '--', ...FOLDERS).split('\n'));
  let file = '';
  for (const line of differences().split('\n')) {
    if (line.startsWith('+++ b/')) file = line.slice(6);
    const hunk = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (hunk === null) continue;
    const [from, count] = [Number(hunk[1]), Number(hunk[2] ?? 1)];
    for (let at = from; at < from + count; at += 1) added.add(`${file}:${at}`);
  }
  return added;
}

function differences() {
  for (const base of ['main', 'HEAD~1', 'HEAD'])
    try {
      const found = git('diff', '--unified=0', '--no-color', base, '--', ...FOLDERS);
      if (found !== '') return found;
    } catch {
      // No such commit.
    }
  return '';
}
