import type { ChangeListener } from './change-listener.js';

/** The listeners of all plugins, as Nest has made them. */
export class CreatedListeners {
  constructor(readonly all: readonly { readonly name: string; readonly listener: ChangeListener }[]) {}
}
