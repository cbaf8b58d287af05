import { type CSSProperties, useId, useState } from 'react';
import { Link } from 'wouter';
import type { ManagedRecords as Managed } from '../api/types.js';
import { relativeName } from '../form/names.js';
import { Icon } from '../parts/icon.js';
import { ShownText } from '../parts/shown-text.js';
import { words } from '../words/index.js';
import { zoneAddress } from '../zones/zone-address.js';
import { useOpenZone } from '../zones/zone-context.js';
import type { Columns } from './columns.js';
import { isFound } from './row.js';
import type { RecordSearch } from './use-record-pages.js';
import { useIsPhone } from './use-row-height.js';

interface Props {
  readonly records: Managed['managed_records'];
  readonly search: RecordSearch;
  /** Whether the rows below have a column for selection. */
  readonly mayWrite: boolean;
  readonly columns: Columns;
}

/** The generated SOA and apex NS, above the records; on phones in one line that unfolds. The settings of the zone change them. */
export function ManagedRecords({ records, search, mayWrite, columns: has }: Props) {
  const { zone, secondary } = useOpenZone();
  const isPhone = useIsPhone();
  const [isOpen, setOpen] = useState(false);
  const table = useId();
  // They have no time of change.
  const found = (search.updated_since ?? '') === '' ? records : [];
  const shown = found.filter((record) => isFound({ ...record, priority: null, description: null }, search, zone.ttl));
  const { columns, managed } = words.records;
  if (shown.length === 0) return null;
  /** The track behind the data, where the badge begins. */
  const rest = 3 + Number(mayWrite) + Number(has.has('type')) + Number(has.has('ttl'));
  const types = [...new Set(shown.map(({ type }) => type))].join(', ');
  const rows = (
    <div
      role="table"
      id={table}
      aria-label={managed.table}
      className={mayWrite ? 'managed' : 'managed reading'}
      style={{ '--rest': rest } as CSSProperties}
    >
      {shown.map(({ name, type, ttl, data: text }) => (
        <div key={`${type} ${text}`} role="row" className="record-row">
          {mayWrite && <div role="cell" />}
          <div role="cell" className="name cut" title={name}>
            <ShownText text={relativeName(name, zone.name)} />
          </div>
          {has.has('type') && (
            <div role="cell" data-label={columns.type} className="type">
              <span className="tag">{type}</span>
            </div>
          )}
          {has.has('ttl') && (
            <div role="cell" data-label={columns.ttl} className={ttl === null ? 'number inherited' : 'number'}>
              {words.common.duration(ttl ?? zone.ttl)}
            </div>
          )}
          <div role="cell" data-label={columns.data} className="cut data" title={text}>
            <ShownText text={text} />
          </div>
          <div role="cell" className="managed-by">
            <Icon name="managed" />
            <span>{managed.badge}</span>{' '}
            {secondary === null && (
              <Link href={zoneAddress(zone.name, 'settings')} aria-label={managed.change(type)}>
                {managed.settings}
              </Link>
            )}
          </div>
        </div>
      ))}
    </div>
  );
  if (!isPhone) return rows;
  return (
    <>
      <button
        type="button"
        className="managed-fold"
        aria-expanded={isOpen}
        aria-controls={isOpen ? table : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="managed" />
        <span>{managed.table}</span>
        <span className="data">{types}</span>
        <Icon name={isOpen ? 'collapse' : 'expand'} />
      </button>
      {isOpen && rows}
    </>
  );
}
