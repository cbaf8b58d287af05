import { bodyOf } from './answers.js';
import type { Client, Settings, TestService } from './service.js';

export const AUDIT_ON: Settings = {
  SERVICE_API__ENABLE_API_ADMIN: 'True',
  SERVICE_API__ENABLED_EXTENSIONS_ADMIN: 'quotas,audit',
};

/** An entry of the audit as it is shown (behaviour 14.6). */
export interface AuditBody {
  readonly id: string;
  readonly at: string;
  readonly action: string;
  readonly actor: {
    readonly tenant_id: string;
    readonly token_id: string | null;
    readonly token_description: string | null;
    readonly user: string | null;
    readonly address: string | null;
  };
  readonly request_id: string;
  readonly tenant_id: string | null;
  readonly domain: { readonly id: string; readonly name: string | null } | null;
  readonly record: { readonly id: string; readonly name: string; readonly type: string } | null;
  readonly subject: { readonly id: string; readonly name: string | null } | null;
  readonly change: { readonly id: string; readonly serial: number; readonly number: number } | null;
  readonly details: Readonly<Record<string, unknown>> | null;
}

export interface AuditPageBody {
  readonly audit: readonly AuditBody[];
  readonly links: { readonly self: string; readonly next?: string };
}

/** @param query as in a URL, without its question mark */
export function auditPage(client: Client, query = ''): Promise<AuditPageBody> {
  return bodyOf<AuditPageBody>(client.call('get', `/admin/audit?${query}`));
}

/** Follows the links from the first page to the last. */
export async function auditPages(
  service: Pick<TestService, 'call' | 'url'>,
  query: string,
): Promise<readonly AuditBody[][]> {
  const pages: AuditBody[][] = [];
  for (let next: string | undefined = `/admin/audit?${query}`; next !== undefined;) {
    const page: AuditPageBody = await bodyOf<AuditPageBody>(service.call('get', next.replace(service.url, '')));
    pages.push([...page.audit]);
    next = page.links.next;
  }
  return pages;
}

/** Entries that were written one a line. */
export function readLines(text: string): AuditBody[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as AuditBody);
}
