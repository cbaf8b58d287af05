import type { TokenEntity } from '../auth/token.entity.js';
import { TokensService } from '../auth/tokens.service.js';
import { formatInstant } from '../common/clock.js';
import type { CommandContext } from '../plugins/command.js';
import { parseExpiry } from './expiry.js';

interface CreateOptions {
  readonly tenant: string;
  readonly roles: readonly string[] | undefined;
  readonly expires: string | undefined;
  readonly description: string | undefined;
}

export async function createToken(context: CommandContext, options: CreateOptions): Promise<void> {
  const { tenant: tenantId, roles = ['member'], expires, description = null } = options;
  const expiresAt = expires === undefined ? null : parseExpiry(expires, Date.now());
  const { id, token } = await withTokens(context, (tokens) =>
    tokens.create({ tenantId, roles, expiresAt, description }),
  );
  console.log(token);
  console.error(`id ${id}, tenant ${tenantId}, roles ${roles.join(',')}; it is not shown again`);
}

export async function listTokens(context: CommandContext): Promise<void> {
  for (const token of await withTokens(context, (tokens) => tokens.list())) console.log(describe(token));
}

export async function revokeToken(context: CommandContext, [id = '']: readonly string[]): Promise<void> {
  const wasValid = await withTokens(context, (tokens) => tokens.revoke(id));
  if (!wasValid) throw new Error(`there is no valid token ${id}: see zonewright token list`);
  console.log(`revoked ${id}`);
}

function withTokens<T>(context: CommandContext, work: (tokens: TokensService) => Promise<T>): Promise<T> {
  return context.withServices((services) => work(services.get(TokensService)), ['auth']);
}

function describe({ id, tenantId, roles, createdAt, expiresAt, revokedAt, description }: TokenEntity): string {
  const state =
    revokedAt !== null
      ? `revoked ${formatInstant(revokedAt)}`
      : expiresAt !== null
        ? `expires ${formatInstant(expiresAt)}`
        : 'valid';
  return [id, JSON.stringify(tenantId), roles, `created ${formatInstant(createdAt)}`, state, description ?? ''].join(
    '  ',
  );
}
