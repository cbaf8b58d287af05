import type { RefObject } from 'react';
import { Header, Menu, MenuItem, MenuSection, Popover } from 'react-aria-components';
import { Icon } from './icon.js';
import { ShownText } from './shown-text.js';
import type { MenuEntry, MenuGroup } from './menu-entry.js';

interface Props {
  readonly label: string;
  readonly trigger: RefObject<HTMLElement | null>;
  readonly groups: readonly MenuGroup[];
  readonly placement: 'bottom start' | 'bottom end' | 'top end';
  readonly onClose: () => void;
}

/** The open menu of a button. */
export function PoppedMenu({ label, trigger, groups, placement, onClose }: Props) {
  return (
    <Popover
      isOpen
      className="popover"
      aria-label={label}
      triggerRef={trigger}
      placement={placement}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <Menu className="menu" aria-label={label} autoFocus="first" onClose={onClose}>
        {groups.map((group, index) => (
          <Group key={group.label ?? index} group={group} name={group.label ?? label} />
        ))}
      </Menu>
    </Popover>
  );
}

function Group({
  group: { label, detail, entries, isMultiple = false },
  name,
}: {
  readonly group: MenuGroup;
  readonly name: string;
}) {
  const chosen = entries.filter(({ isChosen }) => isChosen === true).map(({ id }) => id);
  const isChoice = entries.some(({ isChosen }) => isChosen !== undefined);
  return (
    <MenuSection
      {...(label === undefined && { 'aria-label': name })}
      {...(isChoice && { selectionMode: isMultiple ? 'multiple' : 'single', selectedKeys: chosen })}
    >
      {label !== undefined && (
        <Header className={detail === undefined ? undefined : 'menu-person'}>
          <ShownText text={label} longest={100} />
          {detail !== undefined && (
            <small>
              <ShownText text={detail} longest={200} />
            </small>
          )}
        </Header>
      )}
      {entries.map((entry) => (
        <Entry key={entry.id} entry={entry} />
      ))}
    </MenuSection>
  );
}

function Entry({ entry: { id, label, href, icon, isDangerous, act } }: { readonly entry: MenuEntry }) {
  return (
    <MenuItem
      id={id}
      textValue={label}
      className={isDangerous === true ? 'menu-item danger' : 'menu-item'}
      {...(act !== undefined && { onAction: act })}
      {...(href !== undefined && { href, target: '_blank', rel: 'noreferrer' })}
    >
      {icon !== undefined && <Icon name={icon} />}
      {label}
      {href !== undefined && <Icon name="outside" />}
    </MenuItem>
  );
}
