import { type SubmitEvent, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useWhoami } from '../api/queries.js';
import type { Whoami } from '../api/types.js';
import { useStatus } from '../frame/status.js';
import { useTitle } from '../frame/title.js';
import { NoAccess } from '../frame/no-access.js';
import { Empty } from '../parts/empty.js';
import { saveAs } from '../parts/save-as.js';
import { Skeleton } from '../parts/skeleton.js';
import { Trouble } from '../parts/trouble.js';
import { words } from '../words/index.js';
import { AuditTable } from './audit-table.js';
import { AUDIT_FILTERS, type AuditFilter, exportedAudit, useAudit } from './use-audit.js';

const COLUMNS = [2, 2, 2, 2, 2, 3];

/** The audit log of all tenants. */
export function AuditPage() {
  useTitle(words.audit.heading);
  const { data: whoami } = useWhoami();
  return (
    <>
      <h1>{words.audit.heading}</h1>
      {whoami === undefined ? <Skeleton rows={8} columns={COLUMNS} /> : <Permitted whoami={whoami} />}
    </>
  );
}

function Permitted({ whoami }: { readonly whoami: Whoami }) {
  const { go } = words.states;
  const elsewhere = [
    { label: go.allChanges, to: '/changes' },
    { label: go.zones, to: '/zones' },
  ];
  const isAdmin = whoami.roles.includes('admin');
  if (!isAdmin) return <NoAccess message={words.audit.notPermitted} />;
  if (!whoami.admin_extensions.includes('audit'))
    return (
      <Empty icon="audit" actions={elsewhere}>
        {words.audit.off}
      </Empty>
    );
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
      {data === undefined && trouble === null && <Skeleton rows={8} columns={COLUMNS} />}
      {entries.length > 0 && <AuditTable entries={entries} />}
      {data !== undefined && entries.length === 0 && !hasNextPage && (
        <Empty
          icon="audit"
          actions={[
            query.size > 0 && { label: words.states.go.clearFilters, to: () => setQuery({}) },
            { label: words.states.go.allChanges, to: '/changes' },
          ]}
        >
          {words.audit.none}
        </Empty>
      )}
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
