/**
 * Installs packages of package-lock.json, in one of two extents. `start` builds and runs the service, about 280
 * packages; `all` adds the packages of tests, checks and benchmarks, like `npm ci`. Uses node: modules only, since it
 * runs before any installation.
 */
import fs from 'node:fs';
import path from 'node:path';

/** Development packages of a build: compilers, the packages inside the console, and the types that the sources import. */
const BUILD = [
  'typescript',
  'vite',
  ...[
    'react',
    'react-aria-components',
    'react-dom',
    'lucide-react',
    'wouter',
    '@tanstack/react-query',
    '@tanstack/react-virtual',
  ],
  ...['better-sqlite3', 'cli-progress', 'express', 'ini', 'node', 'pg', 'react', 'react-dom', 'semver'].map(
    (name) => `@types/${name}`,
  ),
];
/** The record that npm keeps of its installation. */
const INSTALLED = 'node_modules/.package-lock.json';
/** Inside the checkout, so that the installation can be moved into place. */
const SCRATCH = 'dist/.install';

/** @typedef {'production' | 'start' | 'all'} Extent */

/**
 * @param {string} root of the checkout
 * @param {(step: string, directory: string, ...npmArguments: string[]) => void} npm
 */
export function installer(root, npm) {
  const at = (name) => path.join(root, name);
  const readJson = (name) => (fs.existsSync(at(name)) ? JSON.parse(fs.readFileSync(at(name), 'utf8')) : {});
  const lock = () => readJson('package-lock.json').packages;
  const installed = () => readJson(INSTALLED).packages ?? {};

  /** @param {Extent} extent */
  function isInstalled(extent) {
    const [packages, found] = [lock(), installed()];
    return placesOf(extent, packages).every((place) => {
      if (place in found) return found[place].version === packages[place].version;
      // The lock has optional packages for other platforms.
      return packages[place].optional === true;
    });
  }

  /**
   * @returns whether install scripts have run: those of `start` compile one package, which the caller does meanwhile
   */
  function install(extent) {
    const found = Object.keys(installed());
    const started = new Set(placesOf('start', lock()));
    const hasMore = found.some((place) => !started.has(place) && lock()[place]?.dev === true);
    if (extent === 'start' && !hasMore) {
      installStart();
      return false;
    }
    if (found.length === 0) npm('installing dependencies', root, 'ci', '--include=dev');
    // Adds and replaces only the differences.
    else npm('installing missing and changed packages', root, 'install', '--no-save', '--include=dev');
    return true;
  }

  /**
   * npm knows no subset of devDependencies, so it gets a package.json with only those of a build, and the full lock.
   */
  function installStart() {
    fs.rmSync(at(SCRATCH), { recursive: true, force: true });
    fs.mkdirSync(at(SCRATCH), { recursive: true });
    const manifest = readJson('package.json');
    manifest.devDependencies = Object.fromEntries(
      Object.entries(manifest.devDependencies ?? {}).filter(([name]) => BUILD.includes(name)),
    );
    const whole = readJson('package-lock.json');
    whole.packages[''].devDependencies = manifest.devDependencies;
    const write = (name, content) => fs.writeFileSync(at(`${SCRATCH}/${name}`), JSON.stringify(content));
    write('package.json', manifest);
    write('package-lock.json', whole);
    if (fs.existsSync(at('.npmrc'))) fs.copyFileSync(at('.npmrc'), at(`${SCRATCH}/.npmrc`));
    npm('installing dependencies', at(SCRATCH), 'ci', '--include=dev', '--ignore-scripts');
    if (fs.existsSync(at('node_modules'))) fs.renameSync(at('node_modules'), at(`${SCRATCH}/former`));
    fs.renameSync(at(`${SCRATCH}/node_modules`), at('node_modules'));
    fs.rmSync(at(SCRATCH), { recursive: true, force: true });
  }

  return { isInstalled, install };
}

/** @returns the places in the lock, `node_modules/…` each, of the packages of an extent */
function placesOf(extent, packages) {
  const places = Object.keys(packages).filter((place) => place !== '');
  if (extent === 'all') return places;
  const production = places.filter((place) => !packages[place].dev && !packages[place].devOptional);
  return extent === 'production' ? production : [...new Set([...production, ...dependenciesOf(BUILD, packages)])];
}

function dependenciesOf(names, packages) {
  const places = new Set();
  const add = (from, name) => {
    const place = placeOf(from, name, packages);
    if (place === undefined || places.has(place)) return;
    places.add(place);
    const { dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta = {} } = packages[place];
    const peers = Object.keys(peerDependencies).filter((peer) => !peerDependenciesMeta[peer]?.optional);
    for (const next of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) add(place, next);
  };
  for (const name of names) add('', name);
  return places;
}

/** As Node.js finds a package: in the folder of the package that asks for it, or in one further up. */
function placeOf(from, name, packages) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (place in packages) return place;
    if (folder === '') return undefined;
  }
}
