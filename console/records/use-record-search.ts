import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { useRecordTypes } from '../api/queries.js';
import { useSearchText } from '../frame/use-query-text.js';
import { words } from '../words/index.js';
import { useOpenZone } from '../zones/zone-context.js';
import { type FilterName, FILTERS, type Filters, filtersIn, sinceOf, validFilters } from './filters.js';
import type { RecordSearch } from './use-record-pages.js';

const NO_TYPES: ReadonlySet<string> = new Set();

/** The search text, the filters and the order of the records, as the address has them. */
export function useRecordSearch() {
  const { zone } = useOpenZone();
  const { data } = useRecordTypes();
  const types = useMemo(
    () => (data === undefined ? NO_TYPES : new Set(data.record_types.map(({ name }) => name))),
    [data],
  );
  const text = useSearchText('q');
  const [query, setQuery] = useSearchParams();
  const sort = query.get('sort') ?? 'name';
  const inAddress = Object.fromEntries(FILTERS.map((name) => [name, query.get(name) ?? ''])) as unknown as Filters;
  const filters = validFilters(inAddress, types);
  // Filters that are still being typed count as well.
  const typed = filtersIn(text.sought, zone.name, types);
  const { changed, ...others } = { ...filters, ...typed.filters };
  const since = useMemo(() => sinceOf(changed, new Date()), [changed]);
  const search: RecordSearch = {
    ...others,
    ...{ q: typed.rest.trim() === '' ? '' : typed.rest, updated_since: since },
    sort: Object.hasOwn(words.records.sorts, sort) ? sort : 'name',
  };

  const change = (values: Partial<Record<FilterName | 'q' | 'sort', string>>): void =>
    setQuery(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries(values))
          if (value === '' || (name === 'sort' && value === 'name')) next.delete(name);
          else next.set(name, value);
        return next;
      },
      { replace: true, state: window.history.state as unknown },
    );
  /** Moves filters from a text to the address. */
  const take = (written: string): void => {
    const read = filtersIn(written, zone.name, types);
    if (Object.keys(read.filters).length === 0) return;
    text.setTyped(read.rest);
    change({ ...read.filters, q: read.rest });
  };
  return {
    ...{ search, filters, typed: text.typed, take },
    type: (written: string): void => {
      text.setTyped(written);
      if (/\s$/.test(written)) take(written);
    },
    setType: (type: string): void => change({ type }),
    setSort: (order: string): void => change({ sort: order }),
    remove: (names: readonly FilterName[]): void => change(Object.fromEntries(names.map((name) => [name, '']))),
  };
}
