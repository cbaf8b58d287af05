import { useInfiniteQuery } from '@tanstack/react-query';
import { ask } from '../api/client.js';
import { markerIn } from '../api/markers.js';
import type { Audit } from '../api/types.js';
import { useIsSignedIn } from '../session/session.js';

export const AUDIT_FILTERS = ['tenant_id', 'user', 'domain', 'action'] as const;
export type AuditFilter = Readonly<Record<(typeof AUDIT_FILTERS)[number], string>>;

export function useAudit(filter: AuditFilter, isOn: boolean) {
  const isSignedIn = useIsSignedIn();
  return useInfiniteQuery({
    queryKey: ['audit', filter],
    queryFn: async ({ signal, pageParam }) => {
      const query = queryOf(filter);
      if (pageParam !== null) query.set('marker', pageParam);
      return (await ask<Audit>(`/admin/audit?${query.toString()}`, { signal })).body;
    },
    initialPageParam: null as string | null,
    // A search covers a limited number of entries: an empty page may still have a next link.
    getNextPageParam: ({ links }) => markerIn(links.next),
    staleTime: 0,
    enabled: isSignedIn && isOn,
  });
}

/** All that match, as JSON lines. @throws Refusal, NoAnswer */
export async function exportedAudit(filter: AuditFilter): Promise<string> {
  const query = queryOf(filter);
  query.set('format', 'jsonl');
  return (await ask<string>(`/admin/audit?${query.toString()}`, { accept: 'application/jsonl', isText: true })).body;
}

const queryOf = (filter: AuditFilter): URLSearchParams =>
  new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''));
