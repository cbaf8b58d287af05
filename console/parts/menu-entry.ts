import type { IconName } from './icon.js';

export interface MenuEntry {
  readonly id: string;
  readonly label: string;
  readonly act?: () => void;
  /** A page outside of the console, opened in a new tab. */
  readonly href?: string;
  readonly icon?: IconName;
  /** Where entries of the group are the current choice. */
  readonly isChosen?: boolean;
  readonly isDangerous?: boolean;
}

export interface MenuGroup {
  readonly label?: string;
  /** Below the label. */
  readonly detail?: string;
  /** Any number of its entries is chosen, and the menu stays open. */
  readonly isMultiple?: boolean;
  readonly entries: readonly MenuEntry[];
}
