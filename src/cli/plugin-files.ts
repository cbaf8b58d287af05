import { pluginSources, type Words } from './plugin-sources.js';

/**
 * What `zonewright plugin new` writes: the smallest package that has an option, a service, a route, and tests of them.
 * @param name of the plugin, as `assertPlugins` takes it
 * @param version of the service that it is made for
 * @returns texts by their paths
 */
export function pluginFiles(name: string, version: string): Readonly<Record<string, string>> {
  const words: Words = { name, version, className: classNameOf(name) };
  return {
    'package.json': packageJson(words),
    'tsconfig.json': TSCONFIG,
    '.gitignore': 'dist/\nnode_modules/\n',
    'README.md': readme(words),
    'zonewright.conf.example': configuration(words),
    ...pluginSources(words),
  };
}

function classNameOf(name: string): string {
  const words = name.split('-').filter((word) => word !== '');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** Held to our own by a test: what a plugin imports has to be the copy that the service uses. */
export const NEEDED = {
  peerDependencies: { '@nestjs/common': '^12.5.1' },
  devDependencies: { '@types/node': '^20.19.43', typescript: '~6.0.3' },
};

function packageJson({ name, version }: Words): string {
  const content = {
    name: `zonewright-plugin-${name}`,
    version: '0.1.0',
    private: true,
    description: 'A plugin for Zonewright.',
    license: 'UNLICENSED',
    type: 'module',
    engines: { node: '>=20.19' },
    exports: './dist/src/index.js',
    files: ['dist/src', 'zonewright.conf.example'],
    scripts: { build: 'tsc', test: 'tsc && node --test dist/test/*.test.js', prepack: 'npm run build' },
    peerDependencies: { ...NEEDED.peerDependencies, zonewright: `^${version}` },
    devDependencies: NEEDED.devDependencies,
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

const TSCONFIG = `{
  "compilerOptions": {
    "target": "es2023",
    "module": "nodenext",
    "rootDir": ".",
    "outDir": "dist",
    "types": ["node"],
    "strict": true,
    "noImplicitOverride": true,
    "experimentalDecorators": true,
    "emitDecoratorMetadata": true,
    "useDefineForClassFields": false,
    "skipLibCheck": true
  },
  "include": ["src", "test"]
}
`;

function readme({ name }: Words): string {
  return `# zonewright-plugin-${name}

A plugin for Zonewright. It answers \`GET /v1/ext/${name}\` with the tenant's
domains that have most records, as an example of a service, a route and an option.

| path | what it is |
| --- | --- |
| \`src/index.ts\` | the plugin: what it is called, and what it brings |
| \`test/\` | the real service with the plugin, asked over HTTP |
| \`zonewright.conf.example\` | its options |

\`\`\`sh
npm test
\`\`\`

A service uses it when its configuration names it:

\`\`\`ini
[plugins]
packages = zonewright-plugin-${name}
\`\`\`
`;
}

function configuration({ name }: Words): string {
  return `[plugins]
packages = zonewright-plugin-${name}

[plugin:${name}]

# how many domains are shown
# allowed: integer from 1 to 1000
#shown = 10
`;
}
