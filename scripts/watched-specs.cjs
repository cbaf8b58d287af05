/**
 * Which specs `npm run test:watch` runs after something was saved: of those that depend on it, those beside it. Sixty depend
 * on src/dns/name.ts, and its own say most of what they would. All run when `a` is pressed, or when none stands beside it.
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
