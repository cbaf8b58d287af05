import { Icon } from './icon.js';
import { MenuButton } from './menu-button.js';

export interface MenuAction {
  readonly label: string;
  readonly act: () => void;
}

interface Props {
  /** The name of the button. */
  readonly label: string;
  readonly actions: readonly MenuAction[];
  readonly className?: string;
}

/** A button with a menu of further actions. */
export function MoreMenu({ label, actions, className = 'icon-button' }: Props) {
  return (
    <MenuButton
      label={label}
      className={className}
      groups={[{ entries: actions.map((action) => ({ id: action.label, ...action })) }]}
    >
      <Icon name="more" />
    </MenuButton>
  );
}
