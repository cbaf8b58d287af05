import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { Clock } from '../../common/clock.js';
import { timeOrderedUuid } from '../../common/uuid.js';
import { bulkInsert } from '../statements/bulk-write.js';
import type { Transaction } from '../transaction.js';

/** Actions that only the audit trail records. */
export const AUDITED_ACTIONS = [
  'token.create',
  'token.revoke',
  'quota.update',
  'quota.reset',
  'share.create',
  'share.delete',
  'transfer_request.create',
  'transfer_request.update',
  'transfer_request.delete',
  'transfer_request.accept',
  'pool.create',
  'pool.update',
  'pool.delete',
  'tld.create',
  'tld.update',
  'tld.delete',
  'blacklist.create',
  'blacklist.update',
  'blacklist.delete',
  'tsig_key.create',
  'tsig_key.update',
  'tsig_key.delete',
  'update_key.create',
  'update_key.revoke',
  'webhook.create',
  'webhook.update',
  'webhook.rotate',
  'webhook.delete',
  'template.create',
  'template.update',
  'template.delete',
  'dnssec.enable',
  'dnssec.disable',
  'dnssec.parent',
  'dnssec.resign',
  'dnssec.roll',
  'dnssec.cancel_roll',
  'dnssec.key_response',
] as const;
export type AuditedAction = (typeof AUDITED_ACTIONS)[number];

export interface AuditedAct {
  readonly action: AuditedAction;
  /** The affected tenant; `null` if the subject has no owner. */
  readonly ownerId: string | null;
  readonly zone?: { readonly id: string; readonly name: string | null };
  readonly subject: { readonly id: string; readonly name: string | null };
  /** Named as in the API; never a secret. */
  readonly details?: Readonly<Record<string, unknown>>;
}

const INSERT = bulkInsert('audit_entries', {
  at: 'bigint',
  id: 'text',
  number: 'bigint',
  action: 'text',
  owner_id: 'text',
  tenant_id: 'text',
  token_id: 'text',
  user_name: 'text',
  address: 'text',
  request_id: 'text',
  zone_id: 'text',
  zone_name: 'text',
  subject_id: 'text',
  subject_name: 'text',
  details: 'text',
});

/** Records who did what, in the transaction of the act (behaviour 14.6). */
@Injectable()
export class AuditTrail {
  constructor(private readonly clock: Clock) {}

  async record(tx: Transaction, caller: Caller, acts: readonly AuditedAct[]): Promise<void> {
    const { tenantId, tokenId, user, address = null, requestId } = caller;
    const at = this.clock.now();
    const rows = acts.map(({ action, ownerId, zone, subject, details }) => [
      ...[at, timeOrderedUuid(at), 0, action, ownerId],
      ...[tenantId, tokenId, user, address, requestId],
      ...[zone?.id ?? null, zone?.name ?? null, subject.id, subject.name],
      details === undefined ? null : JSON.stringify(details),
    ]);
    await INSERT.run(tx, rows);
  }
}
