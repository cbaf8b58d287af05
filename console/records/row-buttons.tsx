import { Icon, type IconName } from '../parts/icon.js';
import type { Permitted } from '../session/permitted.js';
import { words } from '../words/index.js';
import type { RowActions } from './row-actions.js';
import type { Row } from './row.js';

interface Props extends RowActions {
  /** The permissions at this record. */
  readonly may: Permitted;
  readonly row: Row;
  readonly name: string;
  readonly stop: number;
  readonly hasIcons: boolean;
  readonly isMenuOpen: boolean;
  readonly onMenu: (row: Row, trigger: HTMLElement) => void;
}

/** Icons that appear with the pointer or the focus, and a menu with all actions, which touch screens always show. */
export function RowButtons({ may, row, name, stop, hasIcons, isMenuOpen, onMenu, ...actions }: Props) {
  const { type } = row.shown;
  const { short } = words.records;
  const isDeleted = row.entry?.action === 'delete';
  const button = (icon: IconName, label: string, title: string, act: (row: Row) => void, look = '') => (
    <button
      type="button"
      className={`icon-button quick ${look}`}
      tabIndex={stop}
      aria-label={label}
      title={title}
      onClick={() => act(row)}
    >
      {(hasIcons || look === 'lasting') && <Icon name={icon} />}
    </button>
  );
  return (
    <>
      {isDeleted && may.delete && button('undo', words.records.keep(name, type), short.keep, actions.onKeep, 'lasting')}
      {!isDeleted && may.update && button('edit', words.records.edit(name, type), short.edit, actions.onEdit)}
      {!isDeleted && may.create && button('duplicate', words.records.copy(name, type), short.copy, actions.onCopy)}
      {!isDeleted &&
        may.delete &&
        button('delete', words.records.delete(name, type), short.delete, actions.onRemove, 'danger')}
      <button
        type="button"
        className="icon-button more"
        tabIndex={stop}
        aria-label={words.records.row.actions(name, type)}
        title={words.records.row.actionsShort}
        aria-haspopup="menu"
        aria-expanded={isMenuOpen}
        onClick={({ currentTarget }) => onMenu(row, currentTarget)}
      >
        <Icon name="more" />
      </button>
    </>
  );
}
