import { Icon } from '../parts/icon.js';
import { secondsIn } from '../parts/duration.js';
import { ShownText } from '../parts/shown-text.js';
import { relativeName } from '../form/names.js';
import { words } from '../words/index.js';
import { useOpenZone } from '../zones/zone-context.js';
import { type FilterName, FILTERS, type Filters } from './filters.js';

interface Props {
  readonly filters: Filters;
  /** The names of the filters that go. */
  readonly onRemove: (names: readonly FilterName[]) => void;
}

interface Chip {
  readonly names: readonly FilterName[];
  readonly label: string;
}

/** The filters of the address, each a button that removes it. */
export function FilterChips({ filters, onRemove }: Props) {
  const { zone } = useOpenZone();
  const chips = chipsOf(filters, zone.name);
  if (chips.length === 0) return null;
  return (
    <div role="group" aria-label={words.records.filters.label} className="chips filter-chips">
      {chips.map(({ names, label }) => (
        <button
          key={names.join()}
          type="button"
          className="chip"
          aria-label={words.records.filters.remove(label)}
          onClick={() => onRemove(names)}
        >
          <ShownText text={label} longest={60} />
          <Icon name="close" />
        </button>
      ))}
      {chips.length > 1 && (
        <button type="button" className="quiet" onClick={() => onRemove(FILTERS)}>
          {words.records.clear}
        </button>
      )}
    </div>
  );
}

function chipsOf({ type, name, data, ttl_above, ttl_below, changed }: Filters, zone: string): Chip[] {
  const { chips } = words.records.filters;
  const isOneTtl = ttl_above !== '' && Number(ttl_below) === Number(ttl_above) + 2;
  const ttls: Chip[] = isOneTtl
    ? [{ names: ['ttl_above', 'ttl_below'], label: chips.ttl(Number(ttl_above) + 1) }]
    : [
        { names: ['ttl_above'], label: ttl_above && chips.ttl_above(Number(ttl_above)) },
        { names: ['ttl_below'], label: ttl_below && chips.ttl_below(Number(ttl_below)) },
      ];
  const all: Chip[] = [
    { names: ['type'], label: type && chips.type(type.replaceAll(',', ', ')) },
    { names: ['name'], label: name && chips.name(relativeName(name, zone)) },
    { names: ['data'], label: data && chips.data(data) },
    ...ttls,
    {
      names: ['changed'],
      label: changed && (changed === 'today' ? chips.changedToday : chips.changed(secondsIn(changed) ?? 0)),
    },
  ];
  return all.filter(({ label }) => label !== '');
}
