import type { NamedListener } from '../../feed/listeners/change-listener.js';
import type { ApiParts } from '../../plugins/plugin.js';
import { Claims, refusal } from './claims.js';
import type { Loaded } from './loaded.js';

const NAME = /^[a-z][a-z0-9-]{0,62}$/;

/** @throws ConfigError for a name that is malformed, or that two have */
export function joinListeners(loaded: readonly Loaded<ApiParts>[]): NamedListener[] {
  const names = new Claims('change listener');
  return loaded.flatMap(({ plugin, part: { listeners = [] } }) => {
    for (const { name } of listeners) {
      if (!NAME.test(name))
        throw refusal(
          plugin,
          `the change listener ${JSON.stringify(name)}: a name has lower-case letters, digits and hyphens`,
        );
      names.claim(plugin, name);
    }
    return listeners;
  });
}
