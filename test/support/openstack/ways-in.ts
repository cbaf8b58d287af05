import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { isInstalled, type Program } from '../run-program.js';
import { ADMIN_TOKEN, type Settings, startTestService, type TestService } from '../service.js';
import { CommandLine } from './command-line.js';
import { Keystone, KEYSTONE } from './keystone.js';

/** A service and the command line of its admin. */
export interface Desk {
  readonly service: TestService;
  readonly openstack: CommandLine;
  /** The OS_* variables for a program that logs in as the same admin. */
  readonly login: Readonly<Record<string, string>>;
  /** The project that the admin works in. */
  readonly project: string;
  /** For a file that a command reads. */
  readonly directory: string;
  close(): Promise<void>;
}

/** A way in which clients authenticate. */
export interface WayIn {
  /** As `--os-auth-type` names it. */
  readonly name: string;
  /** Required programs in addition to the client. */
  readonly programs: readonly Program[];
  open(): Promise<Desk>;
}

/** The identity of a client without Keystone. */
interface Fixed {
  readonly settings: Settings;
  readonly project: string;
  readonly login: Readonly<Record<string, string>>;
}

const PATIENCE = 240_000;

/** Zones of type SECONDARY need the part that speaks DNS. */
const SETTINGS: Settings = {
  SERVICE_MDNS__ENABLED: 'True',
  SERVICE_MDNS__LISTEN: '127.0.0.1:0',
  SERVICE_MDNS__ALLOW_MASTERS: '127.0.0.1',
};

const WITHOUT_PROOF: WayIn = {
  name: 'none',
  programs: [],
  open: () =>
    openAt({
      settings: { SERVICE_API__AUTH_STRATEGY: 'noauth' },
      project: 'noauth-project',
      login: { OS_AUTH_TYPE: 'none' },
    }),
};

const WITH_ADMIN_TOKEN: WayIn = {
  name: 'admin_token',
  programs: [],
  open: () =>
    openAt({
      settings: { SERVICE_API__AUTH_STRATEGY: 'token', AUTH__ADMIN_TOKEN: ADMIN_TOKEN },
      project: 'admin',
      login: { OS_AUTH_TYPE: 'admin_token', OS_TOKEN: ADMIN_TOKEN },
    }),
};

export const WITH_KEYSTONE: WayIn = {
  name: 'password',
  programs: [KEYSTONE],
  open: openWithKeystone,
};

export const WAYS_IN: readonly WayIn[] = [WITHOUT_PROOF, WITH_ADMIN_TOKEN, WITH_KEYSTONE];

/** Opens before the tests of a block if their programs are installed, and closes after them. */
export function deskOf({ open }: WayIn, needs: Program): () => Desk {
  let desk: Desk | undefined;
  beforeAll(async () => {
    if (isInstalled(needs)) desk = await open();
  }, PATIENCE);
  afterAll(() => desk?.close());
  return () => desk!;
}

/** Configures clients with the version 2 URL. */
async function openAt({ settings, project, login }: Fixed): Promise<Desk> {
  const directory = await mkdtemp(join(tmpdir(), 'zonewright-openstack-'));
  const service = await startTestService({ ...SETTINGS, ...settings });
  const logIn = { ...login, OS_ENDPOINT: `${service.url}/v2` };
  const openstack = CommandLine.start(directory, logIn);
  const close = async (): Promise<void> => {
    openstack.stop();
    await service.stop();
    await rm(directory, { recursive: true });
  };
  return { service, openstack, login: logIn, project, directory, close };
}

/** The client finds the service in Keystone's catalogue. */
async function openWithKeystone(): Promise<Desk> {
  const directory = await mkdtemp(join(tmpdir(), 'zonewright-openstack-'));
  const keystone = await Keystone.start({ directory: join(directory, 'keystone') });
  const service = await startTestService({ ...SETTINGS, ...keystone.settings });
  keystone.leadTo(service.url);
  const login = keystone.environmentOf('admin');
  const openstack = CommandLine.start(directory, login);
  const close = async (): Promise<void> => {
    openstack.stop();
    await service.stop();
    await keystone.stop();
    await rm(directory, { recursive: true });
  };
  return { service, openstack, login, project: keystone.projectOf('admin'), directory, close };
}
