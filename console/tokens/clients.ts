import type { Whoami } from '../api/types.js';

/** Interfaces of the service for other clients. */
export type Protocol = 'webhook' | 'update' | 'powerdns' | 'openstack';
export type Purpose = 'certificates' | 'records' | 'dhcp';

interface ClientFacts {
  readonly purpose: Purpose;
  /** In order of preference. */
  readonly protocols: readonly Protocol[];
}

export const CLIENTS = {
  certbot: { purpose: 'certificates', protocols: ['update', 'powerdns'] },
  lego: { purpose: 'certificates', protocols: ['update', 'powerdns'] },
  acmeSh: { purpose: 'certificates', protocols: ['update', 'powerdns'] },
  certManager: { purpose: 'certificates', protocols: ['update', 'powerdns'] },
  externalDns: { purpose: 'records', protocols: ['webhook', 'update', 'powerdns'] },
  terraform: { purpose: 'records', protocols: ['update', 'powerdns', 'openstack'] },
  octoDns: { purpose: 'records', protocols: ['update', 'powerdns'] },
  nsupdate: { purpose: 'records', protocols: ['update'] },
  kea: { purpose: 'dhcp', protocols: ['update'] },
} as const satisfies Readonly<Record<string, ClientFacts>>;

export type Client = keyof typeof CLIENTS;
export const CLIENT_IDS = Object.keys(CLIENTS) as readonly Client[];
export const PURPOSES: readonly Purpose[] = ['certificates', 'records', 'dhcp'];

export const clientsFor = (purpose: Purpose): readonly Client[] =>
  CLIENT_IDS.filter((client) => CLIENTS[client].purpose === purpose);

/** The enabled protocols. Only an unlimited credential may create update keys. */
export function enabledProtocols({ service, limits }: Pick<Whoami, 'service' | 'limits'>): readonly Protocol[] {
  return [
    ...(service.external_dns ? (['webhook'] as const) : []),
    ...(service.dns_updates !== null && !isLimited(limits) ? (['update'] as const) : []),
    ...(service.powerdns_api ? (['powerdns'] as const) : []),
    ...(service.openstack_auth_url === null ? [] : (['openstack'] as const)),
  ];
}

export const isLimited = ({ domains, names, types, actions }: Whoami['limits']): boolean =>
  [domains, names, types, actions].some((limit) => limit !== null);

export const protocolsOf = (client: Client, enabled: readonly Protocol[]): readonly Protocol[] =>
  CLIENTS[client].protocols.filter((protocol) => enabled.includes(protocol));

/** Tabs for a credential: its client first, then the other clients that can use it. */
export function clientsUsing(client: Client, protocol: Protocol): readonly Client[] {
  const { purpose } = CLIENTS[client];
  const others = CLIENT_IDS.filter(
    (one) =>
      one !== client &&
      (CLIENTS[one].purpose === purpose || (one === 'nsupdate' && purpose === 'certificates')) &&
      CLIENTS[one].protocols.some((spoken) => spoken === protocol),
  );
  return [client, ...others];
}
