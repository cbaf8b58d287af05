import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { Database } from '../sqlite.js';
import { freePort } from '../name-servers/name-servers.js';
import { environmentAt, succeedDebian } from './debian.js';
import { KeystoneApi } from './keystone-api.js';
import { PASSWORD, PEOPLE, REGION } from './keystone-people.js';
import { CONFIGURATION, DATABASE, keystoneConfiguration, keystoneProcess } from './keystone-process.js';

/** In node_modules, since it is not part of the project either. */
const CACHE = resolve(import.meta.dirname, '../../../node_modules/.cache/zonewright');
const PATIENCE = 180_000;
/** Long enough to fill it. */
const TOKEN_LIFETIME = 3600;

/**
 * A directory to be copied, with Keystone's keys and its database: the people, and a catalogue that leads nowhere yet.
 * Making it takes many seconds: it is kept for as long as it would be made in the same way.
 */
export async function keystoneSeed(): Promise<string> {
  const seed = join(CACHE, `keystone-${await fingerprint()}`);
  if (existsSync(seed)) return seed;
  await mkdir(CACHE, { recursive: true });
  const directory = await mkdtemp(join(CACHE, 'keystone-new-'));
  try {
    await createIn(directory);
    await fill(directory);
    await rename(directory, seed);
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    // Another process has been faster.
    if (!existsSync(seed)) throw error;
  }
  return seed;
}

/** A hash of the Debian packages and of this setup. */
async function fingerprint(): Promise<string> {
  const hash = createHash('sha256');
  hash.update(await succeedDebian(['dpkg-query', '-W', 'keystone', 'python3-keystone'], environmentAt('/')));
  for (const name of ['api', 'people', 'process', 'seed'])
    hash.update(await readFile(join(import.meta.dirname, `keystone-${name}.ts`)));
  return hash.digest('hex').slice(0, 16);
}

async function createIn(directory: string): Promise<void> {
  const configuration = join(directory, CONFIGURATION);
  await mkdir(join(directory, 'policy.d'));
  await writeFile(configuration, keystoneConfiguration(directory, TOKEN_LIFETIME));
  const manage = (...parameters: string[]) =>
    succeedDebian(['keystone-manage', '--config-file', configuration, ...parameters], environmentAt(directory), {
      timeout: PATIENCE,
    });
  await manage('db_sync');
  // With SQLite's own kind of journal readers and writers shut each other out.
  const database = new Database(join(directory, DATABASE));
  database.pragma('journal_mode = WAL');
  database.close();
  const { uid, gid } = userInfo();
  const owner = ['--keystone-user', String(uid), '--keystone-group', String(gid)];
  await manage('fernet_setup', ...owner);
  await manage('credential_setup', ...owner);
  const admin = ['--bootstrap-username', 'admin', '--bootstrap-project-name', PEOPLE.admin.project];
  await manage('bootstrap', '--bootstrap-password', PASSWORD, ...admin, '--bootstrap-region-id', REGION);
}

async function fill(directory: string): Promise<void> {
  const port = await freePort();
  const daemon = keystoneProcess(directory, port);
  await daemon.start();
  try {
    const login = { user: 'admin', password: PASSWORD, project: PEOPLE.admin.project };
    const api = await KeystoneApi.logIn(`http://127.0.0.1:${port}/v3`, login);
    await enrol(api);
    await api.publish('identity', 'http://127.0.0.1/v3', REGION);
    await api.publish('dns', 'http://127.0.0.1', REGION);
  } catch (error) {
    throw new Error(`Keystone cannot be set up:\n${daemon.log}`, { cause: error });
  } finally {
    await daemon.stop();
  }
}

async function enrol(api: KeystoneApi): Promise<void> {
  for (const [user, { project, role }] of Object.entries(PEOPLE)) {
    const projectId = await api.ensure('project', project, { domain_id: 'default' });
    const userId = await api.ensure('user', user, { domain_id: 'default', password: PASSWORD });
    await api.grant(projectId, userId, role);
  }
}
