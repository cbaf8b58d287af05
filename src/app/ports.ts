import { Authenticator } from '../auth/authenticator.js';
import { fill, type FilledPort } from '../plugins/plugin.js';
import { NoRecordLimits, RecordLimits } from '../records/record-limits.js';
import { ExportLimits, NoExportLimits } from '../zone-files/export-limits.js';
import { ImportLimits, NoImportLimits } from '../zone-files/import-limits.js';
import { ChangeLimits, NoChangeLimits } from '../zones/change-limits.js';
import { NoZoneLimits, ZoneLimits } from '../zones/zone-limits.js';
import { NoZoneNameRules, ZoneNameRules } from '../zones/zone-name-rules.js';
import { ZonePublication } from '../zones/zone-publication.js';
import { Claims, isOurs, refusal } from './claims.js';
import type { Loaded } from './composition.js';

/** What plugins may fill. */
const PORTS: readonly FilledPort['port'][] = [
  Authenticator,
  ZoneLimits,
  RecordLimits,
  ExportLimits,
  ImportLimits,
  ChangeLimits,
  ZoneNameRules,
  ZonePublication,
];

/**
 * One filler for each port. Ours is the default, which one other plugin may replace.
 * @throws ConfigError for what is no port, and for a port that two plugins would fill
 */
export function joinPorts(filled: readonly Loaded<FilledPort>[]): FilledPort[] {
  const claims = new Claims('port');
  const others = filled.filter(({ plugin }) => !isOurs(plugin));
  for (const { plugin, part } of others) {
    if (!PORTS.includes(part.port)) throw refusal(plugin, `${part.port.name} is no port of Zonewright`);
    claims.claim(plugin, part.port.name);
  }
  const isReplaced = ({ port }: FilledPort) => others.some(({ part }) => part.port === port);
  const defaults = filled.filter(({ plugin, part }) => isOurs(plugin) && !isReplaced(part));
  return [...defaults, ...others].map(({ part }) => part);
}

const NO_LIMITS = [
  fill(ZoneLimits, NoZoneLimits),
  fill(RecordLimits, NoRecordLimits),
  fill(ExportLimits, NoExportLimits),
  fill(ImportLimits, NoImportLimits),
  fill(ChangeLimits, NoChangeLimits),
  fill(ZoneNameRules, NoZoneNameRules),
];

/** The same for an operator at the command line, who is not held to limits. */
export function liftLimits(filled: readonly Loaded<FilledPort>[]): FilledPort[] {
  return joinPorts(filled).map((own) => NO_LIMITS.find(({ port }) => port === own.port) ?? own);
}
