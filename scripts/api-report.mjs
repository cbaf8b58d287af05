#!/usr/bin/env node
/**
 * Compares docs/extending/api/ with the exports of the package, so that a change of the public surface is visible;
 * `--update` rewrites it. A reachable type that is not exported fails too.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor';
import ts from 'typescript';
import { prepare, root } from './prepare.mjs';

/** The second stands on the first: a test of a plugin imports from both. */
const ENTRIES = [
  { types: 'dist/src/index.d.ts', report: 'zonewright.api.md' },
  { types: 'dist/src/testing/index.d.ts', report: 'zonewright-testing.api.md' },
];
const FOLDER = 'docs/extending/api';
const SCRATCH = 'dist/api';
const EXPORT = /^export (?:abstract )?(?:class|const|function|interface|type) (\w+)/gm;

const isUpdate = process.argv.includes('--update');
const complaints = [];
/** Exports of the entries so far. */
const known = new Set();

await prepare({ dev: true });
mkdirSync(path.join(root, FOLDER), { recursive: true });
for (const { types, report } of ENTRIES) hold(types, report);
holdConfig();
for (const complaint of complaints) console.error(complaint);
if (complaints.length > 0) process.exitCode = 1;

function hold(types, report) {
  const { apiReportChanged } = Extractor.invoke(configurationOf(types, report), {
    localBuild: isUpdate,
    messageCallback: judge,
  });
  const text = readFileSync(path.join(root, SCRATCH, report), 'utf8');
  for (const [, name] of text.matchAll(EXPORT)) known.add(name);
  if (!apiReportChanged) return;
  const file = `${FOLDER}/${report}`;
  if (isUpdate) console.log(`wrote ${file}`);
  else complainOf(file);
}

function complainOf(file) {
  complaints.push(`${file} is not what the package exports: run "npm run api:update" and read the difference`);
}

/**
 * `Config` is derived from declarations across the service, which the extractor does not follow: writes the resolved
 * type.
 */
function holdConfig() {
  const file = `${FOLDER}/config.api.md`;
  const at = path.join(root, file);
  const entry = path.join(root, ENTRIES[0].types);
  const program = ts.createProgram([entry], { module: ts.ModuleKind.NodeNext, strict: true, skipLibCheck: true });
  const checker = program.getTypeChecker();
  const index = checker.getSymbolAtLocation(program.getSourceFile(entry));
  const config = checker.getExportsOfModule(index).find(({ name }) => name === 'Config');
  const type = checker.getDeclaredTypeOfSymbol(checker.getAliasedSymbol(config));
  const text = `## What \`Config\` holds\n\n\`\`\`ts\nexport interface Config ${membersOf(checker, type, '')}\n\`\`\`\n`;
  if (isUpdate) writeFileSync(at, text);
  else if (!existsSync(at) || readFileSync(at, 'utf8') !== text) complainOf(file);
}

/** The compiler writes the members of a union in the order in which it has met them anywhere. */
function inOneOrder(text) {
  return text.replace(/(?:"[^"]*"|\b\d+)(?: \| (?:"[^"]*"|\d+\b))+/g, (union) => union.split(' | ').sort().join(' | '));
}

/** Groups are written with their members, and values as the compiler names them. */
function membersOf(checker, type, indent) {
  const lines = checker.getPropertiesOfType(type).map((member) => {
    const of = checker.getTypeOfSymbol(member);
    const isGroup = of.aliasSymbol?.name === 'ValuesOf';
    const shown = isGroup
      ? membersOf(checker, of, `${indent}    `)
      : inOneOrder(checker.typeToString(of, undefined, ts.TypeFormatFlags.NoTruncation));
    return `${indent}    readonly ${member.name}: ${shown};\n`;
  });
  return `{\n${lines.sort().join('')}${indent}}`;
}

function configurationOf(types, reportFileName) {
  const at = (name) => path.join(root, name);
  return ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: at('package.json'),
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: at(types),
      newlineKind: 'lf',
      compiler: { tsconfigFilePath: at('tsconfig.build.json') },
      apiReport: {
        enabled: true,
        reportFileName,
        reportFolder: at(FOLDER),
        reportTempFolder: at(SCRATCH),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: { default: { logLevel: 'error' } },
        extractorMessageReporting: {
          default: { logLevel: 'none' },
          'ae-forgotten-export': { logLevel: 'error' },
        },
        tsdocMessageReporting: { default: { logLevel: 'none' } },
      },
    },
  });
}

function judge(message) {
  message.handled = true;
  const [, type] = /^The symbol "(\w+)" needs to be exported/.exec(message.text) ?? [];
  if (message.logLevel !== 'error' || known.has(type)) return;
  complaints.push(`${path.relative(root, message.sourceFilePath ?? root)}: ${message.text}`);
}
