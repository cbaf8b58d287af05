import { type SubmitEvent, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useWhoami } from '../api/queries.js';
import type { Whoami } from '../api/types.js';
import { useStatus } from '../frame/status.js';
import { useTitle } from '../frame/title.js';
import { saveAs } from '../parts/save-as.js';
import { Skeleton } from '../parts/skeleton.js';
import { Trouble } from '../parts/trouble.js';
import { words } from '../words/index.js';
import { AuditTable } from './audit-table.js';
import { AUDIT_FILTERS, type AuditFilter, exportedAudit, useAudit } from './use-audit.js';

/** Who did what, over all tenants. */
export function AuditPage() {
  useTitle(words.audit.heading);
  const { data: whoami } = useWhoami();
  return (
    <>
      <h1>{words.audit.heading}</h1>
      {whoami === undefined ? <Skeleton rows={8} /> : <Permitted whoami={whoami} />}
    </>
  );
}

function Permitted({ whoami }: { readonly whoami: Whoami }) {
  if (!whoami.roles.includes('admin')) return <p className="empty">{words.audit.notPermitted}</p>;
  if (!whoami.admin_extensions.includes('audit')) return <p className="empty">{words.audit.off}</p>;
  return <Entries />;
}

function Entries() {
  const [query, setQuery] = useSearchParams();
  const filter = filterIn(query);
  const { data, error, failureReason, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useAudit(
    filter,
    true,
  );
  const trouble = error ?? failureReason;
  const entries = data?.pages.flatMap(({ audit }) => audit) ?? [];
  return (
    <>
      <FilterForm
        key={JSON.stringify(filter)}
        filter={filter}
        onFilter={(next) => setQuery(Object.entries(next).filter(([, value]) => value !== ''))}
      />
      {trouble !== null && <Trouble isRetried error={trouble} onRetry={() => void refetch()} />}
      {data === undefined && trouble === null && <Skeleton rows={8} />}
      {data !== undefined && <AuditTable entries={entries} />}
      {data !== undefined && entries.length === 0 && !hasNextPage && <p className="empty">{words.audit.none}</p>}
      {hasNextPage && (
        <button type="button" aria-disabled={isFetchingNextPage || undefined} onClick={() => void fetchNextPage()}>
          {words.audit.more}
        </button>
      )}
    </>
  );
}

const filterIn = (query: URLSearchParams): AuditFilter => ({
  tenant_id: query.get('tenant_id') ?? '',
  user: query.get('user') ?? '',
  domain: query.get('domain') ?? '',
  action: query.get('action') ?? '',
});

interface FormProps {
  readonly filter: AuditFilter;
  readonly onFilter: (filter: AuditFilter) => void;
}

function FilterForm({ filter, onFilter }: FormProps) {
  const [typed, setTyped] = useState(filter);
  const status = useStatus();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    onFilter(typed);
  };
  const save = async (): Promise<void> => {
    try {
      saveAs(FILE, await exportedAudit(filter));
      status.show({ content: words.audit.exported(FILE) });
    } catch (error) {
      status.show({ content: error instanceof Error ? error.message : words.common.failed });
    }
  };
  return (
    <form className="tools" onSubmit={submit}>
      {AUDIT_FILTERS.map((name) => (
        <label key={name}>
          {words.audit.filters[name]}{' '}
          <input
            value={typed[name]}
            maxLength={255}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
          />
        </label>
      ))}
      <button type="submit">{words.audit.apply}</button>
      <button type="button" onClick={() => void save()}>
        {words.audit.export}
      </button>
    </form>
  );
}

const FILE = 'audit.jsonl';
