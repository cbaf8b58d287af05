import type { ChangeListener } from './change-listener.js';

/** The listeners of all plugins, as Nest has made them. */
export class MadeListeners {
  constructor(readonly all: readonly { readonly name: string; readonly listener: ChangeListener }[]) {}
}
