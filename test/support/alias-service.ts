import { AliasResolver, type Said } from './alias-resolver.js';
import { freshName, newDomain, type TestDomain } from './domain.js';
import { type Client, type Settings, startTestService, type TestService } from './service.js';
import { until } from './until.js';

/** A service that follows ALIAS records, and the resolver that it asks. */
export interface AliasService extends TestService {
  readonly resolver: AliasResolver;
  /** A domain whose apex follows a new target that has these addresses. */
  following(said: readonly string[], fields?: object): Promise<Following>;
}

export interface Following {
  readonly domain: TestDomain;
  readonly target: string;
  readonly id: string;
}

export async function startAliasService(settings: Settings = {}, directory?: string): Promise<AliasService> {
  const resolver = await AliasResolver.start();
  const service = await startTestService({ ...followingBy(resolver.address), ...settings }, directory);
  const following = (said: readonly string[], fields?: object): Promise<Following> =>
    newFollowing(service, resolver, said, fields);
  const stop = async (): Promise<void> => {
    await service.stop();
    await resolver.stop();
  };
  return { ...service, resolver, following, stop };
}

/** Short times, and the addresses of documentation count as public. */
export function followingBy(resolver: string): Settings {
  return {
    SERVICE_ALIAS__ENABLED: 'True',
    SERVICE_ALIAS__RESOLVER: resolver,
    SERVICE_ALIAS__MIN_INTERVAL: '1',
    SERVICE_ALIAS__KEEP_MISSING: '2',
    SERVICE_ALIAS__ALLOWED_NETWORKS: '192.0.2.0/24, 2001:db8::/32',
  };
}

async function newFollowing(
  client: Client,
  resolver: { say(name: string, said: Said): void },
  said: readonly string[],
  fields: object = {},
): Promise<Following> {
  const [domain, target] = [await newDomain(client), `lb.${freshName()}`];
  resolver.say(target, said);
  const { id } = await domain.newRecord({ name: domain.name, type: 'ALIAS', data: target, ...fields });
  await until(async () => (await addressesAt(domain)).length === said.length);
  return { domain, target, id };
}

/** The addresses at a name of the domain, as version 1 lists them. */
export async function addressesAt(domain: TestDomain, name = domain.name): Promise<string[]> {
  const records = await domain.records();
  const found = records.filter((one) => one.name === name && (one.type === 'A' || one.type === 'AAAA'));
  return found.map(({ data }) => data).sort();
}
