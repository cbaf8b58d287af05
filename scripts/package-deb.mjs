#!/usr/bin/env node
/**
 * `npm run package:deb -- [--version V] [--out FOLDER]`: builds the Debian package of this machine's architecture, into
 * dist/debian/. Built by Node.js 20 it serves 20, 22 and newer; built by a newer one, not 20. The same sources, dependencies and tools give the same
 * octets: all times are SOURCE_DATE_EPOCH, or else the time of the last commit. Needs debhelper.
 */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './prepare.mjs';
import { compilesDriver, stage } from './stage.mjs';

/** Pages for operators, with the pages they link to, below the root. */
const pages = readFileSync(path.join(root, 'packaging/debian/zonewright.docs'), 'utf8').trim().split('\n');

const { version: ourVersion, engines } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const { values } = parseArgs({
  options: {
    version: { type: 'string', default: ourVersion.replace('-', '~') },
    out: { type: 'string', default: path.join(root, 'dist/debian') },
  },
});
const NODE_API_10 = '22.14';
const out = path.resolve(values.out);
const epoch = Number(process.env.SOURCE_DATE_EPOCH ?? timeOfCommit());

// Outside the checkout, so that no path of it gets into the package.
const scratch = mkdtempSync(path.join(os.tmpdir(), 'zonewright-debian-'));
try {
  const source = path.join(scratch, 'zonewright');
  await fill(source);
  build(source);
  mkdirSync(out, { recursive: true });
  for (const name of readdirSync(scratch).filter((file) => file.endsWith('.deb'))) {
    copyFileSync(path.join(scratch, name), path.join(out, name));
    console.log(path.join(out, name));
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** The input of debhelper: debian/, and root/ with the installed files. */
async function fill(source) {
  const installed = (name) => path.join(source, 'root', name);
  await stage(installed('usr/lib/zonewright'));
  for (const folder of ['usr/bin', 'etc/zonewright', 'usr/share/doc/zonewright'])
    mkdirSync(installed(folder), { recursive: true });
  const take = (name, place) => cpSync(path.join(root, name), place, { recursive: true });
  take('packaging/debian', path.join(source, 'debian'));
  take('packaging/zonewright.sh', installed('usr/bin/zonewright'));
  take('packaging/zonewright.conf', installed('etc/zonewright/zonewright.conf'));
  take('zonewright.conf.example', installed('usr/share/doc/zonewright/zonewright.conf.example'));
  take('CHANGELOG.md', path.join(source, 'CHANGELOG.md'));
  for (const page of pages) take(page, path.join(source, page));
  writeFileSync(path.join(source, 'debian/changelog'), changelog());
}

function changelog() {
  const maintainer = /^Maintainer: (.*)$/m.exec(readFileSync(path.join(root, 'packaging/debian/control'), 'utf8'))[1];
  const date = new Date(epoch * 1000).toUTCString().replace('GMT', '+0000');
  return `zonewright (${values.version}) unstable; urgency=medium\n\n  * See changelog.gz.\n\n -- ${maintainer}  ${date}\n`;
}

function build(source) {
  const env = {
    ...process.env,
    SOURCE_DATE_EPOCH: String(epoch),
    ZONEWRIGHT_NODE: nodeDependency(),
    LC_ALL: 'C.UTF-8',
  };
  const command = ['--build=binary', '--no-sign', '--no-pre-clean'];
  execFileSync('dpkg-buildpackage', command, { cwd: source, env, stdio: ['ignore', 2, 2] });
}

/** The driver of older ones is compiled for one major version; that of newer ones needs Node-API 10. */
function nodeDependency() {
  if (!compilesDriver) return `nodejs (>= ${NODE_API_10})`;
  const major = Number(process.versions.node.split('.')[0]);
  const oldest = engines.node.replace('>=', '');
  const from = oldest.startsWith(`${major}.`) ? oldest : major;
  return `nodejs (>= ${from}), nodejs (<< ${major + 1}~) | nodejs (>= ${NODE_API_10})`;
}

function timeOfCommit() {
  return execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' });
}
