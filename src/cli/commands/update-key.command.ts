import { readFile } from 'node:fs/promises';
import type { RequestedRestrictions } from '../../auth/scopes/token-scope.js';
import { formatInstant } from '../../common/clock.js';
import type { UpdateKeyEntity } from '../../dynamic-update/update-keys/update-key.entity.js';
import { UpdateKeysService } from '../../dynamic-update/update-keys/update-keys.service.js';
import type { CommandContext } from '../../plugins/command.js';
import { parseExpiry, entriesOf, type List, shownLimits } from '../arguments.js';
import { operatorFor } from '../operator.js';

interface CreateOptions {
  readonly tenant: string;
  readonly algorithm: string | undefined;
  readonly secretFile: string | undefined;
  readonly domains: List;
  readonly names: List;
  readonly types: List;
  readonly actions: List;
  readonly networks: List;
  readonly expires: string | undefined;
  readonly description: string | undefined;
}

/** Prints the key as `nsupdate -y` takes it. */
export async function createUpdateKey(
  context: CommandContext,
  [name = '']: readonly string[],
  options: CreateOptions,
): Promise<void> {
  const { tenant, algorithm, secretFile, expires, description = null } = options;
  const secret = secretFile === undefined ? undefined : (await readFile(secretFile, 'utf8')).trim();
  const expiresAt = expires === undefined ? null : parseExpiry(expires, Date.now());
  const request = { name, algorithm, secret, description, expiresAt, restrictions: restrictionsOf(options) };
  const key = await withKeys(context, (keys) => keys.create(request, operatorFor(tenant)));
  console.log(secret === undefined ? `${key.algorithm}:${key.name}:${key.secret}` : `${key.algorithm}:${key.name}`);
  console.error(`id ${key.id}, tenant ${tenant}; the secret is not shown again`);
}

export async function listUpdateKeys(context: CommandContext): Promise<void> {
  for (const key of await withKeys(context, (keys) => keys.list())) console.log(describe(key));
}

export async function revokeUpdateKey(context: CommandContext, [which = '']: readonly string[]): Promise<void> {
  await withKeys(context, async (keys) => {
    const name = `${which.toLowerCase().replace(/\.$/, '')}.`;
    const all = await keys.list();
    const key = all.find((one) => one.revokedAt === null && (one.id === which || one.name === name));
    if (key === undefined) throw new Error(`there is no valid update key ${which}: see zonewright update-key list`);
    await keys.revoke(key.id, operatorFor('admin'));
    console.log(`revoked ${key.name}`);
  });
}

function withKeys<T>(context: CommandContext, work: (keys: UpdateKeysService) => Promise<T>): Promise<T> {
  return context.withServices((services) => work(services.get(UpdateKeysService)), ['update-keys']);
}

function restrictionsOf({ domains, names, types, actions, networks }: CreateOptions): RequestedRestrictions {
  const lists = [domains, names, types, actions, networks].map(entriesOf);
  return { domains: lists[0], names: lists[1], types: lists[2], actions: lists[3], networks: lists[4] };
}

function describe(key: UpdateKeyEntity): string {
  const { id, name, algorithm, tenantId, createdAt, description } = key;
  return [
    ...[id, name, algorithm, JSON.stringify(tenantId), `created ${formatInstant(createdAt)}`, stateOf(key)],
    ...shownLimits(key.restrictions),
    description ?? '',
  ].join('  ');
}

function stateOf({ expiresAt, revokedAt }: UpdateKeyEntity): string {
  if (revokedAt !== null) return `revoked ${formatInstant(revokedAt)}`;
  return expiresAt === null ? 'valid' : `expires ${formatInstant(expiresAt)}`;
}
