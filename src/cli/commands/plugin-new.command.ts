import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { assertPlugins } from '../../app/composition/compose.js';
import { packageVersion } from '../../app/package-version.js';
import { pluginFiles } from '../plugin-files.js';
import type { ProgramContext } from '../program-context.js';

interface NewPluginRequest {
  readonly arguments: readonly string[];
  readonly options: { readonly directory: string | undefined };
}

/**
 * Writes a package with a plugin that builds, and whose tests pass.
 * @throws Error for a name that is malformed or taken, and for a folder that has something in it
 */
export async function newPlugin(
  { plugins }: ProgramContext,
  { arguments: [name = ''], options }: NewPluginRequest,
): Promise<void> {
  assertPlugins([...plugins, { name, zonewright: '*' }]);
  const folder = options.directory ?? name;
  await assertEmpty(folder);
  const files = Object.entries(pluginFiles(name, packageVersion()));
  for (const [path, text] of files) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    // Whatever has come there meanwhile is not ours to replace.
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

/** The folder with the service in its node_modules is that of the workspace. */
function nextSteps(folder: string): string {
  const path = relative('.', resolve(folder)).replaceAll('\\', '/');
  return `To build and test it, beside the service in node_modules:
  npm pkg set 'workspaces[]=${path}'
  npm install
  npm test --workspace ${path}`;
}
