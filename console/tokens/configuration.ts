import type { Client, Protocol } from './clients.js';
import { certificateConfiguration } from './certificate-configuration.js';
import { recordConfiguration } from './record-configuration.js';

import type { Part, Setup } from './setup.js';

export function configurationOf(client: Client, protocol: Protocol, setup: Setup): readonly Part[] {
  switch (client) {
    case 'certbot':
    case 'lego':
    case 'acmeSh':
    case 'certManager':
      return certificateConfiguration(client, protocol === 'update', setup);
    default:
      return recordConfiguration(client, protocol, setup);
  }
}
