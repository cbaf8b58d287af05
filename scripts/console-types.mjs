#!/usr/bin/env node
/**
 * `node scripts/console-types.mjs [--update]`: compares the console types with docs/openapi.json; `--update` writes
 * them. The console knows the API by this file alone.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { root } from './prepare.mjs';

const FILE = 'console/api/openapi.d.ts';
const { components } = JSON.parse(readFileSync(path.join(root, 'docs/openapi.json'), 'utf8'));

/** Operations are called by path; schemas describe requests and responses. */
const document = {
  openapi: '3.0.0',
  info: { title: 'Zonewright', version: '1' },
  paths: {},
  components: { schemas: components.schemas },
};
const types = astToString(await openapiTS(document));
const wanted = `// Made from docs/openapi.json by \`npm run console:types\`.\n${types}`;

if (process.argv.includes('--update')) writeFileSync(path.join(root, FILE), wanted);
else if (readFileSync(path.join(root, FILE), 'utf8') !== wanted) {
  console.error(`${FILE} is not what docs/openapi.json says: run \`npm run console:types\``);
  process.exitCode = 1;
}
