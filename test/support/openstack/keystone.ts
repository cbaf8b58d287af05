import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Database } from '../sqlite.js';
import type { Daemon } from '../name-servers/daemon.js';
import { freePort } from '../name-servers/name-servers.js';
import type { Program } from '../run-program.js';
import type { Settings } from '../service.js';
import { KeystoneApi, type Login } from './keystone-api.js';
import { PASSWORD, PEOPLE, type Person, REGION } from './keystone-people.js';
import { CONFIGURATION, DATABASE, keystoneConfiguration, keystoneProcess } from './keystone-process.js';
import { keystoneSeed } from './keystone-seed.js';

/** Debian's Keystone with its runtime. */
export const KEYSTONE: Program = {
  name: 'Keystone',
  needs: {
    '/usr/bin/keystone-manage': 'keystone',
    '/usr/bin/uwsgi_python3': 'uwsgi-plugin-python3',
    setpriv: 'util-linux',
    env: 'coreutils',
  },
};

const TWELVE_HOURS = 43_200;

export interface KeystonePlan {
  /** The future data directory, not created yet. */
  readonly directory: string;
  /** Seconds that a token is valid. */
  readonly tokenLifetime?: number;
}

/** Keystone on loopback, with its own database and a catalogue whose `dns` endpoint is the service under test. */
export class Keystone {
  private constructor(
    /** As clients name it: with `/v3`. */
    readonly url: string,
    private readonly database: string,
    private readonly daemon: Daemon,
  ) {}

  static async start({ directory, tokenLifetime = TWELVE_HOURS }: KeystonePlan): Promise<Keystone> {
    await cp(await keystoneSeed(), directory, { recursive: true });
    await writeFile(join(directory, CONFIGURATION), keystoneConfiguration(directory, tokenLifetime));
    const port = await freePort();
    const daemon = keystoneProcess(directory, port);
    const keystone = new Keystone(`http://127.0.0.1:${port}/v3`, join(directory, DATABASE), daemon);
    keystone.publish('identity', keystone.url);
    await daemon.start();
    return keystone;
  }

  /** All output so far. */
  get log(): string {
    return this.daemon.log;
  }

  /** From now on clients that ask its catalogue for the dns service are sent there. */
  leadTo(url: string): void {
    this.publish('dns', url);
  }

  /** A new token of that user for its project. */
  tokenOf(person: Person): Promise<string> {
    return KeystoneApi.tokenFor(this.url, loginOf(person));
  }

  async revoke(token: string): Promise<void> {
    const api = await KeystoneApi.logIn(this.url, loginOf('admin'));
    await api.revoke(token);
  }

  /** The id of that user's project. */
  projectOf(person: Person): string {
    return this.inDatabase(
      (database) =>
        database.prepare('SELECT id FROM project WHERE name = ?').pluck().get(PEOPLE[person].project) as string,
    );
  }

  /** The OS_* variables with which OpenStack's clients log in as that user. */
  environmentOf(person: Person): Record<string, string> {
    return {
      OS_AUTH_TYPE: 'password',
      OS_AUTH_URL: this.url,
      OS_IDENTITY_API_VERSION: '3',
      OS_USERNAME: person,
      OS_PASSWORD: PASSWORD,
      OS_PROJECT_NAME: PEOPLE[person].project,
      OS_USER_DOMAIN_NAME: 'Default',
      OS_PROJECT_DOMAIN_NAME: 'Default',
      OS_REGION_NAME: REGION,
    };
  }

  /** The service's options to have tokens validated here. */
  get settings(): Settings {
    return {
      SERVICE_API__AUTH_STRATEGY: 'keystone',
      KEYSTONE_AUTHTOKEN__AUTH_URL: this.url,
      KEYSTONE_AUTHTOKEN__WWW_AUTHENTICATE_URI: this.url,
      KEYSTONE_AUTHTOKEN__USERNAME: 'zonewright',
      KEYSTONE_AUTHTOKEN__PASSWORD: PASSWORD,
      KEYSTONE_AUTHTOKEN__PROJECT_NAME: PEOPLE.zonewright.project,
      KEYSTONE_AUTHTOKEN__USER_DOMAIN_NAME: 'Default',
      KEYSTONE_AUTHTOKEN__PROJECT_DOMAIN_NAME: 'Default',
    };
  }

  /** Starts it again, on the same port and with the same data. */
  restart(): Promise<void> {
    return this.daemon.start();
  }

  stop(signal?: NodeJS.Signals): Promise<void> {
    return this.daemon.stop(signal);
  }

  /** Past its interface, which takes a second for it. */
  private publish(type: 'identity' | 'dns', url: string): void {
    this.inDatabase((database) =>
      database
        .prepare('UPDATE endpoint SET url = ? WHERE service_id IN (SELECT id FROM service WHERE type = ?)')
        .run(url, type),
    );
  }

  private inDatabase<T>(work: (database: Database) => T): T {
    const database = new Database(this.database);
    try {
      return work(database);
    } finally {
      database.close();
    }
  }
}

function loginOf(person: Person): Login {
  return { user: person, password: PASSWORD, project: PEOPLE[person].project };
}
