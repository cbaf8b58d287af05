import type { AuditEntry } from '../api/types.js';
import { authorName } from '../history/author-name.js';
import { ColumnHeads } from '../parts/column-heads.js';
import { Moment } from '../parts/moment.js';
import { ShownText } from '../parts/shown-text.js';
import { words } from '../words/index.js';

export function AuditTable({ entries }: { readonly entries: readonly AuditEntry[] }) {
  const { columns } = words.audit;
  return (
    <table className="list" aria-label={words.audit.heading}>
      <ColumnHeads labels={columns} />
      <tbody>
        {entries.map((entry) => (
          <Line key={entry.id} entry={entry} />
        ))}
      </tbody>
    </table>
  );
}

function Line({ entry }: { readonly entry: AuditEntry }) {
  const { columns } = words.audit;
  // An entry of the service itself has no actor.
  const actor = entry.actor as AuditEntry['actor'] | null;
  return (
    <tr>
      <td>
        <Moment at={entry.at} />
      </td>
      <td data-label={columns.action}>{entry.action}</td>
      <td data-label={columns.actor}>
        <ShownText text={authorName(actor, entry.tenant_id)} />
      </td>
      <td data-label={columns.address}>
        <ShownText text={actor?.address ?? ''} />
      </td>
      <td data-label={columns.tenant}>
        <ShownText text={entry.tenant_id ?? ''} />
      </td>
      <td data-label={columns.subject}>
        <ShownText text={subjectOf(entry)} longest={300} />
      </td>
    </tr>
  );
}

function subjectOf({ domain, record, subject }: AuditEntry): string {
  if (record !== null) return `${record.name} ${record.type}`;
  if (domain !== null) return domain.name ?? domain.id;
  return subject === null ? '' : (subject.name ?? subject.id);
}
