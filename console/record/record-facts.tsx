import type { ReactNode } from 'react';
import type { StoredRecord } from '../api/types.js';
import { Moment } from '../parts/moment.js';
import { ShownText } from '../parts/shown-text.js';
import { words } from '../words/index.js';
import { useOpenZone } from '../zones/zone-context.js';

/** Everything that is stored of a record. */
export function RecordFacts({ record }: { readonly record: StoredRecord }) {
  const { zone } = useOpenZone();
  const { facts } = words.record;
  const { name, type, ttl, priority, data, description, expires_at: expires } = record;
  return (
    <dl className="facts">
      <Fact label={facts.name}>
        <ShownText text={name} />
      </Fact>
      <Fact label={facts.type}>{type}</Fact>
      <Fact label={facts.ttl}>{ttl === null ? words.record.ttlOfZone(zone.ttl) : words.common.duration(ttl)}</Fact>
      {priority !== null && <Fact label={facts.priority}>{priority}</Fact>}
      <Fact label={facts.data}>
        <ShownText text={data} longest={Infinity} />
      </Fact>
      {description !== null && (
        <Fact label={facts.comment}>
          <ShownText text={description} />
        </Fact>
      )}
      {typeof expires === 'string' && (
        <Fact label={facts.expires}>
          <Moment at={expires} />
        </Fact>
      )}
      <Fact label={facts.created}>
        <Moment at={record.created_at} />
      </Fact>
      {record.updated_at !== null && (
        <Fact label={facts.updated}>
          <Moment at={record.updated_at} />
        </Fact>
      )}
    </dl>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
