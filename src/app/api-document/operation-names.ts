/** Methods whose names, with that of their controller, would not say what is done to what. */
const NAMES: Readonly<Record<string, string>> = {
  serversDomains: 'listServers',
  aliveHealth: 'isAlive',
  readyHealth: 'isReady',
  healthcheckHealth: 'healthcheck',
  describeVersions: 'describeVersion1',
  changeByPostFlatQuotas: 'changeFlatQuotaByPost',
  deliveriesWebhooks: 'listDeliveries',
  replayDeadWebhooks: 'replayDeadDeliveries',
  replayWebhooks: 'replayDelivery',
};

/**
 * Names an operation for clients that are generated: `createDomain`, `listDomains`. Nest counts the paths of a controller
 * that has several (`create[0]`).
 */
export function nameOperation(controller: string, method: string): string {
  const name = `${method.replace(/\[\d+\]$/, '')}${controller.replace('Controller', '')}`;
  return NAMES[name] ?? (name.startsWith('list') ? name : singular(name));
}

function singular(name: string): string {
  if (name.endsWith('Statuses')) return name.slice(0, -2);
  return name.endsWith('s') ? name.slice(0, -1) : name;
}
