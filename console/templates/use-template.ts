import { useOpening } from '../frame/use-opening.js';
import { useParameter } from '../frame/use-query-text.js';
import { usePermitted } from '../zones/use-permitted.js';

/** The value of the parameter before a template is chosen. */
const OPEN = 'choose';

export interface OpenTemplate {
  /** Templates add several names and types. */
  readonly mayUse: boolean;
  /** `''` while the dialog is closed. */
  readonly name: string;
  readonly choose: (name: string) => void;
  readonly open: () => void;
  readonly close: () => void;
}

/** The template in the address, which contains the open dialog. */
export function useTemplate(): OpenTemplate {
  const may = usePermitted();
  const [name, choose] = useParameter('template');
  const { open, close } = useOpening('template');
  const mayUse = may.create && may.names === null && may.types === null;
  // A menu gives the focus back in the next frame; the dialog gives it back to the element that then has it.
  const openLater = (): void => void requestAnimationFrame(() => requestAnimationFrame(() => open({ template: OPEN })));
  return { mayUse, name, choose, open: openLater, close };
}
