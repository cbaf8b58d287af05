/**
 * The specs that `npm run test:watch` runs after a save: the dependent specs in the folder of the saved file. Sixty
 * depend on src/dns/name.ts, and its own find most errors. All run when `a` is pressed, or when the folder has none.
 */
const { execFileSync } = require('node:child_process');
const { readdirSync } = require('node:fs');
const path = require('node:path');

const root = path.resolve();

module.exports = (specs) => {
  if (specs.length === pureSpecs().length) return { filtered: specs };
  const folders = new Set(changedFiles().map((file) => path.dirname(file)));
  const beside = specs.filter((spec) => folders.has(path.dirname(spec)));
  return { filtered: beside.length > 0 ? beside : specs };
};

function pureSpecs() {
  const names = readdirSync(path.join(root, 'src'), { recursive: true });
  return names.filter((name) => name.endsWith('.spec.ts') && !name.endsWith('.slow.spec.ts'));
}

function changedFiles() {
  const tracked = git('diff', '--name-only', '-z', 'HEAD');
  const others = git('ls-files', '--others', '--exclude-standard', '-z');
  return [...tracked, ...others].map((name) => path.join(root, name));
}

function git(...parameters) {
  return execFileSync('git', parameters, { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
}
