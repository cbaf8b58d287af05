import { type Measured, Counter } from 'zonewright';

const INSPECTED: Measured = {
  name: 'inspections_zones_total',
  help: 'Zones that were inspected over the API, by the worst that was found: nothing, warning or error.',
  labels: ['found'],
};

export const METRICS = [INSPECTED];

export const inspectedZones = new Counter(INSPECTED);
