import { migration } from '../database/schema/lazy-migration.js';
import { feature, moduleOf } from '../plugins/feature.js';
import { fill, type PluginSettings } from '../plugins/plugin.js';
import type { DnssecOptions } from './dnssec.options.js';

/** Signed zones (behaviour 23). Those that are signed are served so wherever zones are, whoever signs them. */
export const DNSSEC = feature({
  name: 'dnssec',
  schema: async () => ({
    entities: [
      (await import('./state/zone-signing.entity.js')).ZoneSigningEntity,
      (await import('./state/signed-set.entity.js')).SignedSetEntity,
      (await import('./state/signed-step.entity.js')).SignedStepEntity,
      (await import('./keys/zone-key.entity.js')).ZoneKeyEntity,
      (await import('./rollovers/zone-rollover.entity.js')).ZoneRolloverEntity,
      (await import('./parent/zone-parent.entity.js')).ZoneParentEntity,
    ],
    migrations: [
      migration('SignZones1764000000000', () => import('../database/migrations/1764000000000-sign-zones.js')),
      migration(
        'ExpandSigningByParents1764020000000',
        () => import('../database/migrations/1764020000000-expand-signing-by-parents.js'),
      ),
      migration(
        'ExpandSignedSpelling1764030000000',
        () => import('../database/migrations/1764030000000-expand-signed-spelling.js'),
      ),
    ],
  }),
  core: async ({ config: { dnssec } }) => {
    const { DnssecModule } = await import('./dnssec.module.js');
    const { SignedZones } = await import('../publishing/transfers/signed-zones.js');
    const { ZoneDeletionGuard } = await import('../zones/zone-deletion-guard.js');
    const { OwnedResources } = await import('../zones/sharing/owned-resources.js');
    const { OwnerKeys } = await import('./keys/owner-keys.js');
    const { SignedZoneGuard } = await import('./signed-zone-guard.js');
    const { SignedZoneText } = await import('./state/signed-zone-text.js');
    const { StoredSignedZones } = await import('./state/stored-signed-zones.js');
    const { SignedTexts } = await import('../zone-files/export/signed-texts.js');
    return {
      modules: [DnssecModule.register(optionsOf(dnssec), dnssec.enabled)],
      ports: [
        fill(SignedZones, StoredSignedZones),
        fill(ZoneDeletionGuard, SignedZoneGuard),
        fill(OwnedResources, OwnerKeys),
        fill(SignedTexts, SignedZoneText),
      ],
    };
  },
  api: async ({ config: { dnssec } }) => {
    if (!dnssec.enabled) return {};
    const { DnssecController } = await import('./v1/dnssec.controller.js');
    const { ZoneDnssecController } = await import('./v2/dnssec.controller.js');
    return {
      modules: [moduleOf('DnssecV1', { controllers: [DnssecController] })],
      v2: [moduleOf('DnssecV2', { controllers: [ZoneDnssecController] })],
    };
  },
});

const DAY = 86_400;

function optionsOf(dnssec: PluginSettings['config']['dnssec']): DnssecOptions {
  const { enabled, encryptionKeys, algorithm, denial, validity, refresh, maxTtl, ...ofParents } = dnssec;
  return {
    encryptionKeys: enabled ? encryptionKeys.map((key) => Buffer.from(key, 'base64')) : [],
    algorithm,
    denial,
    validity: validity * DAY,
    refresh: refresh * DAY,
    maxTtl,
    ...ofParents,
  };
}
