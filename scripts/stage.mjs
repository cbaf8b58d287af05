#!/usr/bin/env node
/**
 * `node scripts/stage.mjs FOLDER` puts the runtime files of the service into a new FOLDER: the build output,
 * package.json and the production packages, without types, maps and native sources. The Debian package and the image
 * consist of it. Staged by a Node.js that compiles its SQLite driver, it runs on that major version and on 22.14 and
 * newer, else on the latter alone (ADR 2).
 */
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepare, root } from './prepare.mjs';

const at = (name) => path.join(root, name);

/** @param {string} folder that is not there yet */
export async function stage(folder) {
  await prepare({ dev: true });
  mkdirSync(folder, { recursive: true });
  copyFileSync(at('package.json'), path.join(folder, 'package.json'));
  copy('dist/src', folder);
  copy('dist/console', folder);
  copyFileSync(at('dist/ormconfig.js'), path.join(folder, 'dist/ormconfig.js'));
  for (const name of productionPackages()) copy(name, folder);
  chmodSync(path.join(folder, 'dist/src/cli/main.js'), 0o755);
}

/** Whether this Node.js loads the driver that is compiled for one major version, as `loadSqlite` decides. */
export const compilesDriver = Number(process.versions.napi) < 10;

/**
 * `node_modules/…` paths by the lock; `prepare` has compared the installed packages with it. The compiled driver is
 * optional, and left out where another Node.js may have compiled it.
 */
function productionPackages() {
  const { packages } = JSON.parse(readFileSync(at('package-lock.json'), 'utf8'));
  const isNeeded = ([name, { dev, devOptional, optional }]) =>
    name !== '' && !dev && !devOptional && (compilesDriver || !optional);
  return Object.entries(packages)
    .filter(isNeeded)
    .map(([name]) => name);
}

/** Each package without those inside it, which the lock lists by themselves. */
function copy(name, folder) {
  const inside = path.join(at(name), 'node_modules');
  const filter = (file) => file !== inside && isUsed(path.relative(root, file));
  cpSync(at(name), path.join(folder, name), { recursive: true, filter });
}

const LEFT_OUT = [
  /\.([cm]?ts|map|tsbuildinfo)$/,
  // The console has its own HTML.
  /^node_modules\/.*\.html$/,
  /\/(?!licen[cs]e)[^/]*\.md$/i,
  /\/\.[^/]+$/,
  /node_modules\/(@[^/]+\/)?[^/]+\/(docs|examples?|tests?|__tests__)$/,
  // Duplicates for browsers, bundlers and the other module system: Node.js loads one form of a package.
  /^node_modules\/(typeorm\/browser|rxjs\/(src|dist\/(bundles|esm|esm5))|validator\/es|dayjs\/(esm|locale))(\/|$)/,
  /^node_modules\/(class-(transformer|validator)\/(bundles|esm5|esm2015)|libphonenumber-js\/(bundle|es6|es6-modern|source))(\/|$)/,
  /^node_modules\/es-toolkit\/.*\.js$/,
  // Of better-sqlite3 sources and outputs, only the module is loaded, and only that of this platform.
  /^node_modules\/better-sqlite3\/(deps|src|binding\.gyp)(\/|$)/,
  /^node_modules\/better-sqlite3\/build\/(?!Release(\/better_sqlite3\.node)?$)/,
  /^node_modules\/better-sqlite3-napi\/(deps|src|binding\.gyp|node_modules)(\/|$)/,
  new RegExp(`^node_modules/better-sqlite3-napi/prebuilds/(?!${platform()}\\.node$)`),
];

/** As better-sqlite3 calls it. */
function platform() {
  const isMusl = process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime;
  return `${process.platform}${isMusl ? 'musl' : ''}-${process.arch}`;
}

function isUsed(file) {
  return !LEFT_OUT.some((pattern) => pattern.test(file));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error('stage.mjs FOLDER');
  await stage(path.resolve(folder));
}
