#!/usr/bin/env node
/**
 * Writes docs/reference/messages.md: every error message, log line and command output of src, so that they can be read in one
 * go. `{name}` is a value. `npm run docs:messages`; with `--check` it only compares.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const PAGE = path.join(root, 'docs/reference/messages.md');
const SEVERITIES = { error: 'error', warn: 'warning', log: 'info', info: 'info', debug: 'debug' };
/** Documented elsewhere: the OpenAPI documents, docs/configuration.md, docs/spec/record-types.md. */
const DOCUMENTED = /^(?:Api[A-Z]\w*|(?:V2)?Operation|\w*[oO]ptions?|recordType|plainType)$/;
const SQL =
  /^\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|WITH|ALTER|DROP|SET|BEGIN|PRAGMA|FROM|WHERE|ORDER|JOIN|LEFT|UNION|AND|VALUES|ON)\b/;
/** A sentence or a part of one: three words, with a lower-case one among them. */
const PROSE = /\S+ \S*[a-z]{2}\S* \S+/;
const PLUGIN_FIELDS = /^(?:description|name|meaning|summary|pattern|sql)$/;

const messages = sourceFiles().flatMap(messagesIn);
const text = page();
if (process.argv.includes('--check')) compare();
else {
  mkdirSync(path.dirname(PAGE), { recursive: true });
  writeFileSync(PAGE, text);
}

function sourceFiles() {
  return execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', 'src'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter(
      (name) =>
        /(?<!\.spec|\.dto|\.entity)\.ts$/.test(name) &&
        !/\/migrations\/|^src\/(?:testing\/|cli\/plugin-sources)/.test(name),
    );
}

function messagesIn(file) {
  let source;
  try {
    source = ts.createSourceFile(file, readFileSync(path.join(root, file), 'utf8'), ts.ScriptTarget.Latest, true);
  } catch {
    // Deleted, and not committed yet.
    return [];
  }
  const found = [];
  const visit = (node) => {
    if (ts.isDecorator(node) || ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isCallExpression(node) && DOCUMENTED.test(nameOf(node.expression))) return;
    if (ts.isPropertyAssignment(node) && PLUGIN_FIELDS.test(node.name.getText())) return;
    const written = textOf(node);
    if (written === undefined) return void ts.forEachChild(node, visit);
    if (PROSE.test(written.replace(/\{\w*\}/g, 'X')) && !SQL.test(written))
      found.push({ file, text: written, ...kindOf(node, file) });
    // Values of a template may hold sentences of their own.
    ts.forEachChild(node, (child) => ts.isTemplateSpan(child) && visit(child.expression));
  };
  visit(source);
  return found;
}

/** The text of a literal, a template or a sum of them, with `{name}` for values. */
function textOf(node) {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return (
      node.head.text +
      node.templateSpans.map(({ expression, literal }) => `{${valueName(expression)}}${literal.text}`).join('')
    );
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  if (left === undefined && right === undefined) return undefined;
  return (left ?? `{${valueName(node.left)}}`) + (right ?? `{${valueName(node.right)}}`);
}

function valueName(expression) {
  if (ts.isIdentifier(expression)) return expression.text;
  if (ts.isPropertyAccessExpression(expression)) return expression.name.text;
  if (ts.isCallExpression(expression) && expression.arguments.length > 0) return valueName(expression.arguments[0]);
  return '…';
}

function nameOf(callee) {
  return ts.isPropertyAccessExpression(callee) ? callee.name.text : callee.getText();
}

/** Log line with its severity, error with its code or class, command output, or part of another message. */
function kindOf(node, file) {
  for (let up = node.parent; up !== undefined && !ts.isBlock(up); up = up.parent) {
    if (
      ts.isCallExpression(up) &&
      ts.isPropertyAccessExpression(up.expression) &&
      /log/i.test(up.expression.expression.getText())
    ) {
      const severity = SEVERITIES[up.expression.name.text];
      if (severity !== undefined) return { kind: 'log', answer: severity };
    }
    if (ts.isNewExpression(up) && /(?:Error|Exception)$/.test(up.expression.getText()))
      return { kind: 'error', answer: errorName(up) };
  }
  return file.startsWith('src/cli/') ? { kind: 'cli', answer: '' } : { kind: 'part', answer: '' };
}

function errorName(node) {
  const [first] = node.arguments ?? [];
  const isCode = first !== undefined && ts.isStringLiteral(first) && /^[a-z_]+$/.test(first.text);
  return isCode ? `\`${first.text}\`` : node.expression.getText().replace(/(?:Error|Exception)$/, '');
}

function page() {
  return `# Messages

For operators and translators of errors: every message of the service, generated from the sources (\`npm run docs:messages\`).
\`{name}\` stands for a value. Options are in [configuration.md](../configuration.md), statuses of error codes in
[the rules for errors](../spec/02-errors.md).

## Log lines

${table(['severity', 'message', 'source'], 'log')}

## Errors

An error names the field or resource first and the remedy last. The code, or the class of an internal check, leads to the status.

${table(['code', 'message', 'remedy', 'source'], 'error')}

## Command line

${table(['message', 'source'], 'cli')}

## Parts of messages

Sentences that errors, log lines and results are composed of.

${table(['message', 'remedy', 'source'], 'part')}
`;
}

function table(columns, kind) {
  const rows = messages
    .filter((message) => message.kind === kind)
    .map((message) => {
      const cut = columns.includes('remedy') ? message.text.indexOf('; ') : -1;
      const cells = {
        severity: message.answer,
        code: message.answer,
        message: cell(cut < 0 ? message.text : message.text.slice(0, cut)),
        remedy: cut < 0 ? '' : cell(message.text.slice(cut + 2)),
        source: `\`${message.file.slice('src/'.length)}\``,
      };
      return `| ${columns.map((column) => cells[column]).join(' | ')} |`;
    });
  return [`| ${columns.join(' | ')} |`, `|${' --- |'.repeat(columns.length)}`, ...new Set(rows)].join('\n');
}

function cell(value) {
  return value
    .replace(/\s+/g, ' ')
    .trim()
    .replaceAll('\\', '\\\\')
    .replace(/[|<>*`[\]]/g, '\\$&')
    .replaceAll('{{', '{ {');
}

function compare() {
  if (readFileSync(PAGE, 'utf8') === text) return;
  console.error('docs/reference/messages.md is out of date; run `npm run docs:messages`');
  process.exitCode = 1;
}
