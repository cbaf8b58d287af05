import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assertPlugins } from '../../app/composition/compose.js';
import { packageVersion } from '../../app/package-version.js';
import type { ProgramContext } from '../program-context.js';
import type { CommandRequest } from '../arguments.js';

/** The build copies files of this suffix. */
const TEMPLATE = '.template';

/** Writes a plugin package that builds and passes its tests. @throws Error for a folder with files */
export async function newPlugin(
  { plugins }: ProgramContext,
  { arguments: [name = ''], options }: CommandRequest<{ readonly directory: string | undefined }>,
): Promise<void> {
  assertPlugins([...plugins, { name, zonewright: '*' }]);
  const folder = options.directory ?? name;
  await assertEmpty(folder);
  const files = await pluginFiles({ name, className: classNameOf(name), version: packageVersion(), dot: '.' });
  for (const [path, text] of files) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    // Never overwrite a file created meanwhile.
    await writeFile(file, text, { flag: 'wx' });
  }
  console.log(
    `${folder} has the plugin ${name}:\n${files.map(([path]) => `  ${path}\n`).join('')}${nextSteps(folder)}`,
  );
}

async function assertEmpty(folder: string): Promise<void> {
  const entries = await entriesOf(folder);
  if (entries.length > 0) throw new Error(`the folder ${folder} is not empty: choose another --directory`);
}

async function entriesOf(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    if (code === 'ENOTDIR') throw new Error(`${folder} is not a folder: choose another --directory`, { cause: error });
    throw error;
  }
}

/** Paths and texts of a package with an option, a service, a route and tests. A test builds it. */
async function pluginFiles(words: Readonly<Record<string, string>>): Promise<[path: string, text: string][]> {
  const folder = fileURLToPath(new URL('../plugin-template', import.meta.url));
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(TEMPLATE)).sort();
  const fill = (text: string): string => text.replace(/__([a-z]+)__/gi, (kept, word: string) => words[word] ?? kept);
  return Promise.all(
    names.map(async (name) => [
      fill(name.slice(0, -TEMPLATE.length)).replaceAll('\\', '/'),
      fill(await readFile(join(folder, name), 'utf8')),
    ]),
  );
}

/** `my-racks` as `MyRacks`. */
function classNameOf(name: string): string {
  const words = name.split('-').filter((word) => word !== '');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** The workspace is the folder that has the service in node_modules. */
function nextSteps(folder: string): string {
  const path = relative('.', resolve(folder)).replaceAll('\\', '/');
  return `To build and test it, beside the service in node_modules:
  npm pkg set 'workspaces[]=${path}'
  npm install
  npm test --workspace ${path}`;
}
