import { brotliCompressSync, constants } from 'node:zlib';
import { defineConfig } from 'vite';

/** The service sends the smaller form to browsers that take it, and has no time to make it itself. */
const compressed = {
  name: 'compressed',
  generateBundle(_options, bundle) {
    for (const [fileName, file] of Object.entries(bundle)) {
      const source = file.type === 'chunk' ? file.code : file.source;
      const octets = brotliCompressSync(source, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
      this.emitFile({ type: 'asset', fileName: `${fileName}.br`, source: octets });
    }
  },
};

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  logLevel: 'warn',
  plugins: [compressed],
  // For work on the sources, beside a service on its usual port.
  server: {
    proxy: Object.fromEntries(['/v1', '/admin', '/console/session'].map((path) => [path, 'http://127.0.0.1:9001'])),
  },
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    target: 'es2022',
    // The content security policy lets nothing in that stands in the page itself.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // "use client" is for servers that render.
      onwarn: (warning, warn) => (warning.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : warn(warning)),
    },
  },
});
