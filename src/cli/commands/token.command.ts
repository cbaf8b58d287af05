import { acmeRestrictions } from '../../auth/scopes/acme.js';
import type { RequestedRestrictions } from '../../auth/scopes/token-scope.js';
import type { TokenEntity } from '../../auth/tokens/token.entity.js';
import { TokensService } from '../../auth/tokens/tokens.service.js';
import { formatInstant } from '../../common/clock.js';
import type { CommandContext } from '../../plugins/command.js';
import { type CommandRequest, parseExpiry, entriesOf, type List, shownLimits } from '../arguments.js';
import { operatorFor } from '../operator.js';

interface CreateOptions {
  readonly tenant: string;
  readonly roles: List;
  readonly domains: List;
  readonly labels: List;
  readonly names: List;
  readonly types: List;
  readonly actions: List;
  readonly networks: List;
  readonly acme: List;
  readonly expires: string | undefined;
  readonly description: string | undefined;
}

export async function createToken(context: CommandContext, options: CreateOptions): Promise<void> {
  const { tenant: tenantId, roles = ['member'], expires, description = null } = options;
  const expiresAt = expires === undefined ? null : parseExpiry(expires, Date.now());
  const restrictions = restrictionsOf(options);
  const { id, token } = await withTokens(context, (tokens) =>
    tokens.create({ tenantId, roles, expiresAt, description, restrictions }, operatorFor('admin')),
  );
  console.log(token);
  console.error(`id ${id}, tenant ${tenantId}, roles ${roles.join(',')}; it is not shown again`);
}

export async function listTokens(context: CommandContext): Promise<void> {
  for (const token of await withTokens(context, (tokens) => tokens.list())) console.log(describe(token));
}

export async function revokeTokens(
  context: CommandContext,
  request: CommandRequest<{ readonly user: string | undefined; readonly tenant: string | undefined }>,
): Promise<void> {
  const { user, tenant } = request.options;
  const [id] = request.arguments;
  if ((id === undefined) === (user === undefined)) throw new Error('name the id of a token, or a user with --user');
  if (user === undefined && tenant !== undefined) throw new Error('--tenant goes with --user');
  if (user === undefined) return revokeToken(context, id ?? '');
  const revoked = await withTokens(context, (tokens) =>
    tokens.revokeOfUser(user, tenant ?? null, operatorFor('admin')),
  );
  console.log(`revoked ${revoked} tokens that ${JSON.stringify(user)} has made`);
}

async function revokeToken(context: CommandContext, id: string): Promise<void> {
  const wasValid = await withTokens(context, (tokens) => tokens.revoke(id, operatorFor('admin')));
  if (!wasValid) throw new Error(`there is no valid token ${id}: see zonewright token list`);
  console.log(`revoked ${id}`);
}

function withTokens<T>(context: CommandContext, work: (tokens: TokensService) => Promise<T>): Promise<T> {
  return context.withServices((services) => work(services.get(TokensService)), ['auth']);
}

/** @throws Error for `--acme` with conflicting options */
function restrictionsOf({ acme, ...options }: CreateOptions): RequestedRestrictions {
  const [domains, names, types] = [options.domains, options.names, options.types].map(entriesOf);
  const [actions, networks, labels] = [options.actions, options.networks, options.labels].map(entriesOf);
  if (acme === undefined) return { domains, labels, names, types, actions, networks };
  if ([names, types, actions].some((list) => list !== undefined))
    throw new Error('--acme says which names, types and actions: leave out --name, --type and --action');
  return { ...acmeRestrictions(entriesOf(acme) ?? []), ...(domains && { domains }), labels, networks };
}

function describe(token: TokenEntity): string {
  const { id, tenantId, roles, createdAt, lastUsedAt, lastUsedFrom, description } = token;
  const used =
    lastUsedAt === null ? 'never used' : `used ${formatInstant(lastUsedAt)} from ${lastUsedFrom ?? 'somewhere'}`;
  const limits = limitsOf(token);
  return [
    ...[id, JSON.stringify(tenantId), roles, `created ${formatInstant(createdAt)}`, stateOf(token), used],
    ...(limits === '' ? [] : [limits]),
    description ?? '',
  ].join('  ');
}

function stateOf({ expiresAt, revokedAt }: TokenEntity): string {
  if (revokedAt !== null) return `revoked ${formatInstant(revokedAt)}`;
  return expiresAt === null ? 'valid' : `expires ${formatInstant(expiresAt)}`;
}

function limitsOf({ restrictions, parentId, madeByUser }: TokenEntity): string {
  const maker = madeByUser === null ? [] : [`made-by-user=${JSON.stringify(madeByUser)}`];
  return [...shownLimits(restrictions), ...(parentId === null ? maker : [`made-by=${parentId}`])].join(' ');
}
