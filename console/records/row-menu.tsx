import { useMemo } from 'react';
import { Menu, MenuItem, Popover } from 'react-aria-components';
import { useLocation } from 'wouter';
import type { Zone } from '../api/types.js';
import { relativeName } from '../form/names.js';
import { useStatus } from '../frame/status.js';
import { Icon, type IconName } from '../parts/icon.js';
import type { Permitted } from '../session/permitted.js';
import { words } from '../words/index.js';
import { zoneAddress } from '../zones/zone-address.js';
import { useOpenZone } from '../zones/zone-context.js';
import { hasClipboard } from '../parts/copied.js';
import type { OpenMenu, RowActions } from './row-actions.js';
import { permittedAtRow, type Row } from './row.js';

interface Props extends RowActions {
  readonly open: OpenMenu;
  readonly may: Permitted;
  readonly isExpanded: boolean;
  readonly onExpand: (index: number) => void;
  readonly onClose: () => void;
}

interface Item {
  readonly icon: IconName;
  readonly label: string;
  readonly act: () => void;
  readonly isDanger?: boolean;
}

/** All actions of one row. One menu serves all rows, so that rows stay cheap. */
export function RowMenu({ open, may, isExpanded, onExpand, onClose, ...actions }: Props) {
  const { zone } = useOpenZone();
  const [, navigate] = useLocation();
  const status = useStatus();
  const { row, index, trigger } = open;
  const triggerRef = useMemo(() => ({ current: trigger }), [trigger]);
  const copy = (text: string): void =>
    void navigator.clipboard.writeText(text).then(
      () => status.show({ content: words.common.copied }),
      () => {},
    );
  const items = itemsOf(row, permittedAtRow(may, row), actions, {
    copyData: () => copy(row.shown.data),
    copyLine: () => copy(lineOf(row, zone)),
    expand: () => onExpand(index),
    history: () => row.stored !== null && navigate(zoneAddress(zone.name, `records/${row.stored.id}`)),
    isExpanded,
  });
  const name = relativeName(row.shown.name, zone.name);
  return (
    <Popover
      isOpen
      className="popover"
      placement="bottom end"
      triggerRef={triggerRef}
      aria-label={words.records.row.actions(name, row.shown.type)}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <Menu
        className="menu row-menu"
        autoFocus="first"
        aria-label={words.records.row.actions(name, row.shown.type)}
        onClose={onClose}
      >
        {items.map(({ icon, label, act, isDanger = false }) => (
          <MenuItem
            key={label}
            id={label}
            className={isDanger ? 'danger' : ''}
            textValue={label}
            onAction={() => {
              onClose();
              act();
            }}
          >
            <Icon name={icon} />
            {label}
          </MenuItem>
        ))}
      </Menu>
    </Popover>
  );
}

interface OwnActions {
  readonly copyData: () => void;
  readonly copyLine: () => void;
  readonly expand: () => void;
  readonly history: () => void;
  readonly isExpanded: boolean;
}

function itemsOf(row: Row, may: Permitted, actions: RowActions, own: OwnActions): Item[] {
  const { menu } = words.records.row;
  const { entry, stored } = row;
  const isDeleted = entry?.action === 'delete';
  const canEdit = !isDeleted && may.update;
  const undo = isDeleted ? menu.undoDelete : menu.undoChange;
  const isUndone = stored !== null && entry !== null && (isDeleted ? may.delete : may.update);
  const item = (isShown: boolean, icon: IconName, label: string, act: () => void, isDanger = false): Item[] =>
    isShown ? [{ icon, label, act, isDanger }] : [];
  return [
    ...item(canEdit, 'edit', menu.edit, () => actions.onEdit(row)),
    ...item(!isDeleted && may.create, 'duplicate', menu.duplicate, () => actions.onCopy(row)),
    ...item(hasClipboard(), 'copy', menu.copyData, own.copyData),
    ...item(hasClipboard(), 'copy', menu.copyLine, own.copyLine),
    ...item(true, own.isExpanded ? 'collapse' : 'expand', own.isExpanded ? menu.showLess : menu.showAll, own.expand),
    ...item(stored !== null, 'changes', menu.history, own.history),
    ...item(isUndone, 'undo', undo, () => actions.onKeep(row)),
    ...item(!isDeleted && may.delete, 'delete', menu.delete, () => actions.onRemove(row), true),
  ];
}

function lineOf({ shown }: Row, zone: Zone): string {
  const { name, ttl, type, priority, data } = shown;
  return [name, ttl ?? zone.ttl, 'IN', type, ...(priority === null ? [] : [priority]), data].join(' ');
}
