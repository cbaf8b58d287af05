import { Icon } from '../parts/icon.js';
import { MenuButton } from '../parts/menu-button.js';
import type { MenuEntry, MenuGroup } from '../parts/menu-entry.js';
import { words } from '../words/index.js';
import { chooseColumns, OPTIONAL_COLUMNS, useColumns } from './columns.js';
import { useIsPhone } from './use-row-height.js';

/** The filter by type: labels by value, `''` for all types. */
interface FilterType {
  readonly options: Readonly<Record<string, string>>;
  readonly type: string;
  readonly onType: (type: string) => void;
}

interface Props {
  readonly types: FilterType;
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}

/** The order and the columns of the table. On a phone, which has no room for a filter by type: that and the order. */
export function DisplayMenu({ types, sort, onSort }: Props) {
  const isPhone = useIsPhone();
  const columns = useColumns();
  const { display, filter, columnChoice, sort: order, sorts } = words.records;
  const label = isPhone ? display.narrow : display.label;
  const shown: MenuGroup = {
    label: columnChoice.label,
    isMultiple: true,
    entries: OPTIONAL_COLUMNS.map((name) => ({
      id: `column ${name}`,
      label: columnChoice.shown[name],
      isChosen: columns.has(name),
      act: () => chooseColumns(new Set(OPTIONAL_COLUMNS.filter((one) => columns.has(one) !== (one === name)))),
    })),
  };
  const orders = { label: order, entries: entriesOf('sort', sorts, sort, onSort) };
  const filters = { label: filter, entries: entriesOf('type', types.options, types.type, types.onType) };
  return (
    <MenuButton label={label} className="with-icon display-menu" groups={isPhone ? [filters, orders] : [orders, shown]}>
      <Icon name="display" />
      <span className="not-on-phones">{label}</span>
    </MenuButton>
  );
}

/** @param options labels by value */
function entriesOf(
  group: string,
  options: Readonly<Record<string, string>>,
  chosen: string,
  onChoose: (value: string) => void,
): MenuEntry[] {
  return Object.entries(options).map(([value, label]) => ({
    id: `${group} ${value}`,
    label,
    isChosen: value === chosen,
    act: () => onChoose(value),
  }));
}
