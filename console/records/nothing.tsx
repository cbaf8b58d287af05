import { useSearchParams } from 'wouter';
import { Empty } from '../parts/empty.js';
import { useTemplate } from '../templates/use-template.js';
import { words } from '../words/index.js';
import { zoneAddress } from '../zones/zone-address.js';
import { useOpenZone } from '../zones/zone-context.js';
import { isFiltered } from './filters.js';
import type { RecordSearch } from './use-record-pages.js';

interface Props {
  readonly search: RecordSearch;
  readonly mayAdd: boolean;
}

/** In place of the rows of a zone or a search without any. */
export function Nothing({ search, mayAdd }: Props) {
  const { zone, secondary } = useOpenZone();
  const [, setQuery] = useSearchParams();
  const template = useTemplate();
  const { go } = words.states;
  if (isFiltered(search))
    return (
      <Empty
        icon="search"
        actions={[
          { label: words.records.clear, to: () => setQuery({}) },
          { label: go.search, to: '/search' },
        ]}
      >
        {words.records.noneFound}
      </Empty>
    );
  return (
    <Empty
      icon="page"
      actions={[
        template.mayUse && { label: words.templates.button, to: template.open },
        mayAdd && { label: words.records.import, to: zoneAddress(zone.name, 'import') },
        { label: go.changes, to: zoneAddress(zone.name, 'history') },
      ]}
    >
      {secondary === null ? words.records.empty : words.secondary.empty}
    </Empty>
  );
}
