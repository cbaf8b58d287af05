import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Program } from '../run-program.js';
import { environmentAt, PYTHON_PACKAGES, runDebian, succeedDebian } from './debian.js';
import type { Keystone } from './keystone.js';
import { PASSWORD } from './keystone-people.js';

const PLUGIN = 'designate_tempest_plugin';

/** The OpenStack acceptance tests, including those of the DNS service. */
export const TEMPEST: Program = {
  name: 'tempest',
  needs: {
    '/usr/bin/tempest': 'tempest',
    [`${PYTHON_PACKAGES}/${PLUGIN}/plugin.py`]: 'designate-tempest-plugin',
  },
};

/** Debian's package of the plugin comes without them. */
const DATA = resolve(import.meta.dirname, '../../openstack/tempest/data');

export interface TempestPlan {
  readonly directory: string;
  readonly keystone: Keystone;
  /** `address:port` of the name servers; empty: skips queries. */
  readonly nameServers: readonly string[];
}

/** Tempest set up for the service that Keystone's catalogue names. */
export class Tempest {
  private constructor(
    private readonly workspace: string,
    private readonly environment: Readonly<Record<string, string>>,
  ) {}

  static async setUp({ directory, keystone, nameServers }: TempestPlan): Promise<Tempest> {
    const plugins = join(directory, 'plugins');
    await cp(`${PYTHON_PACKAGES}/${PLUGIN}`, join(plugins, PLUGIN), { recursive: true });
    await cp(DATA, join(plugins, PLUGIN, 'tests'), { recursive: true });
    const environment = environmentAt(directory, { PYTHONPATH: plugins });
    const workspace = join(directory, 'workspace');
    const register = ['--workspace-path', join(directory, 'workspaces.yaml')];
    await succeedDebian(['tempest', 'init', ...register, workspace], environment, { cwd: directory });
    await mkdir(join(workspace, 'lock'), { recursive: true });
    const configuration = configurationOf(workspace, keystone.url, nameServers);
    await writeFile(join(workspace, 'etc/tempest.conf'), configuration);
    return new Tempest(workspace, environment);
  }

  /** Runs the matching tests sequentially. @returns the tempest output */
  async run(names: string, timeout: number): Promise<string> {
    const place = ['--config-file', join(this.workspace, 'etc/tempest.conf')];
    const register = ['--workspace-path', join(this.workspace, '../workspaces.yaml')];
    const command = ['tempest', 'run', ...register, ...place, '--serial', '--regex', names] as const;
    const { stdout, stderr } = await runDebian(command, this.environment, { cwd: this.workspace, timeout });
    return `${stdout}\n${stderr}`;
  }
}

/** The identity service makes users and projects for each class of tests. */
function configurationOf(workspace: string, keystone: string, nameServers: readonly string[]): string {
  return `[DEFAULT]
log_dir = ${join(workspace, 'logs')}
log_file = tempest.log
[oslo_concurrency]
lock_path = ${join(workspace, 'lock')}
[auth]
use_dynamic_credentials = True
create_isolated_networks = False
tempest_roles =
admin_username = admin
admin_password = ${PASSWORD}
admin_project_name = admin
admin_domain_name = Default
[identity]
auth_version = v3
uri_v3 = ${keystone}
uri = ${keystone}
region = regionOne
v3_endpoint_type = public
default_domain_id = default
[identity-feature-enabled]
api_v2 = False
api_v3 = True
[service_available]
designate = True
cinder = False
glance = False
neutron = False
nova = False
swift = False
horizon = False
[dns]
endpoint_type = public
catalog_type = dns
build_interval = 0
build_timeout = 60
min_ttl = 0
nameservers = ${nameServers.join(',')}
query_timeout = 1
tld_suffix = test
[dns_feature_enabled]
api_v2 = True
api_admin = True
api_v2_root_recordsets = True
api_v2_quotas = True
api_v2_quotas_verify_project = False
bug_1573141_fixed = True
bug_1932026_fixed = False
enforce_new_defaults = False
[enforce_scope]
designate = False
`;
}
