import { Command, CommandRunner, Option, SubCommand } from 'nest-commander';
import { TokensService } from '../auth/tokens.service.js';
import type { TokenEntity } from '../auth/token.entity.js';
import { formatInstant, type Instant } from '../common/clock.js';
import { CommonCommand } from './common-command.js';
import { parseExpiry } from './expiry.js';
import { type CommonOptions, withApplication } from './with-application.js';

interface CreateOptions extends CommonOptions {
  readonly tenant: string;
  readonly role?: readonly string[];
  readonly expires?: Instant;
  readonly description?: string;
}

@SubCommand({ name: 'create', description: 'make a token and show it, this once' })
export class TokenCreateCommand extends CommonCommand {
  override async run(_: string[], options: CreateOptions): Promise<void> {
    const { tenant: tenantId, role: roles = ['member'], expires = null, description = null } = options;
    const request = { tenantId, roles, expiresAt: expires, description };
    const { id, token } = await withApplication(options, (context) =>
      context.get(TokensService, { strict: false }).create(request),
    );
    console.log(token);
    console.error(`id ${id}, tenant ${tenantId}, roles ${roles.join(',')}; it is not shown again`);
  }

  @Option({ flags: '--tenant <id>', description: 'whose zones the token works on', required: true })
  parseTenant(tenant: string): string {
    return tenant;
  }

  @Option({ flags: '--role <name...>', description: 'admin, member (default) or reader; may be repeated' })
  parseRole(role: string, roles: string[] = []): string[] {
    return [...roles, role];
  }

  @Option({ flags: '--expires <when>', description: '30d, 12h, 45m, or a date such as 2027-01-31T00:00:00Z' })
  parseExpires(when: string): Instant {
    return parseExpiry(when, Date.now());
  }

  @Option({ flags: '--description <text>', description: 'what it is for' })
  parseDescription(description: string): string {
    return description;
  }
}

@SubCommand({ name: 'list', description: 'list the tokens; they themselves are stored nowhere' })
export class TokenListCommand extends CommonCommand {
  override async run(_: string[], options: CommonOptions): Promise<void> {
    const tokens = await withApplication(options, (context) => context.get(TokensService, { strict: false }).list());
    for (const token of tokens) console.log(describe(token));
  }
}

@SubCommand({ name: 'revoke', arguments: '<id>', description: 'end a token at once' })
export class TokenRevokeCommand extends CommonCommand {
  override async run([id = '']: string[], options: CommonOptions): Promise<void> {
    const wasValid = await withApplication(options, (context) =>
      context.get(TokensService, { strict: false }).revoke(id),
    );
    if (!wasValid) throw new Error(`there is no valid token ${id}: see zonewright token list`);
    console.log(`revoked ${id}`);
  }
}

@Command({
  name: 'token',
  description: 'make, list and revoke tokens',
  subCommands: [TokenCreateCommand, TokenListCommand, TokenRevokeCommand],
})
export class TokenCommand extends CommandRunner {
  override run(): Promise<void> {
    this.command.help();
  }
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
