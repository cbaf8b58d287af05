import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { defineConfig } from 'vite';

const SERVED = /\.(?:js|css|html|svg)$/;
const MAIN = join(import.meta.dirname, 'main.tsx');
/** Imports every section of the texts. */
const CATALOGUE = join(import.meta.dirname, 'words/catalogue.ts');
/** Sections that the first screen uses, whatever its address. */
const FIRST_SECTIONS = ['', '-answers', '-records', '-secondary', '-service', '-states'].map((name) =>
  join(CATALOGUE, `../english${name}.ts`),
);
let base = null;

/**
 * Puts all that main.tsx imports into one file, which compresses better than many. Complete, since a file that imports
 * another one of `base` and is imported by it runs before its imports: "t is not a function".
 */
function fileOf(id, graph) {
  if (base === null) {
    base = new Set([MAIN]);
    for (const from of base) {
      const imported = from === CATALOGUE ? FIRST_SECTIONS : (graph.getModuleInfo(from)?.importedIds ?? []);
      for (const to of imported) if (!to.endsWith('.css')) base.add(to);
    }
    base.delete(MAIN);
  }
  return base.has(id) ? 'base' : null;
}

/** The service sends the smaller form to browsers that take it, and has no time to make it itself. */
const compressed = {
  name: 'compressed',
  // As written: plugins of Vite still change the files when they are generated.
  async writeBundle({ dir }, bundle) {
    const names = Object.keys(bundle).filter((name) => SERVED.test(name));
    await Promise.all(names.map((name) => compress(join(dir, name))));
  },
};

async function compress(path) {
  const octets = brotliCompressSync(await readFile(path), { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
  await writeFile(`${path}.br`, octets);
}

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  logLevel: 'warn',
  plugins: [compressed],
  // For development, with a service on its default port. console/session/ also has sources.
  server: {
    proxy: Object.fromEntries(
      ['/v1', '/admin', '^/console/session(?!.*\\.tsx?)'].map((path) => [path, 'http://127.0.0.1:9001']),
    ),
  },
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    target: 'es2022',
    // The content security policy lets nothing in that stands in the page itself.
    assetsInlineLimit: 0,
    // Vite would ask for the styles of a screen without the prefix of a proxy, and show it before they are there.
    cssCodeSplit: false,
    // The browser would ask for them by addresses without the prefix of a proxy; only the page itself knows it.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, files, { hostType }) => (hostType === 'html' ? files : []),
    },
    // For the limits in test/console/page.spec.ts.
    manifest: true,
    reportCompressedSize: false,
    rolldownOptions: {
      preserveEntrySignatures: 'allow-extension',
      // A section of the catalogue goes to the file of the screen that uses it.
      treeshake: { moduleSideEffects: (id) => !id.includes('/console/words/') },
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            // Sections of the catalogue use it while `base` still waits for them.
            { name: 'numbers', test: /\/console\/words\/numbers\./, priority: 1 },
            { name: fileOf, debugName: 'base' },
          ],
        },
      },
      // "use client" is for servers that render.
      onwarn: (warning, warn) => (warning.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : warn(warning)),
    },
  },
});
