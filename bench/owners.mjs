import { pathToFileURL } from 'node:url';
import { ROOT } from './processes.mjs';

const HERE = [`${pathToFileURL(ROOT)}/`, `${ROOT}/`];
const WRITES = ['writev', 'writeUtf8String', 'writeLatin1String', 'writeBuffer'];
const WITHOUT_FILE = {
  '(garbage collector)': 'garbage collector',
  '(program)': 'outside JavaScript',
  ...Object.fromEntries(WRITES.map((name) => [name, 'kernel writes'])),
};
/** Packages that a reader knows as one. */
const TOGETHER = { express: 'express, router', router: 'express, router', 'path-to-regexp': 'express, router' };

/** A file as a reader of the repository knows it, wherever the package lies; '' for what is no JavaScript. */
export function nameOfFile(url) {
  const [, ...packaged] = url.split('/node_modules/');
  if (packaged.length > 0) return packaged.at(-1);
  const here = HERE.find((prefix) => url.startsWith(prefix));
  if (here === undefined) return url;
  return url.slice(here.length).replace(/^dist\/(.*)\.js$/, '$1.ts');
}

/** Whom a function belongs to: a folder of src, a package, a part of Node.js. What V8 does for a function is its own. */
export function ownerOf(name, file, caller) {
  if (file === '') return WITHOUT_FILE[name] ?? caller?.who ?? 'outside JavaScript';
  if (file.startsWith('node:')) return /^node:_?http/.test(file) ? 'node:http' : 'node, the rest';
  if (file.startsWith('src/')) return file.split('/').slice(0, -1).slice(0, 2).join('/');
  const [owner] = /^(@[^/]+\/)?[^/]+/.exec(file);
  return TOGETHER[owner] ?? owner;
}
