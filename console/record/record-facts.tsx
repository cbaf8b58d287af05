import type { StoredRecord } from '../api/types.js';
import { Fact, TimeFact } from '../parts/server-card.js';
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
      {typeof expires === 'string' && <TimeFact label={facts.expires} at={expires} />}
      <TimeFact label={facts.created} at={record.created_at} />
      {record.updated_at !== null && <TimeFact label={facts.updated} at={record.updated_at} />}
    </dl>
  );
}
