import { migration } from '../database/schema/schema.js';
import { feature, moduleOf } from '../plugins/feature.js';
import { fill, type PluginSettings } from '../plugins/plugin.js';
import type { DnssecOptions } from './dnssec.options.js';

/** Signed zones (behaviour 23). Every process serves them; processes with `enabled` sign them. */
export const DNSSEC = feature({
  name: 'dnssec',
  schema: async () => ({
    entities: [
      (await import('./state/zone-signing.entity.js')).ZoneSigningEntity,
      (await import('./state/signed-set.entity.js')).SignedSetEntity,
      (await import('./state/signed-step.repository.js')).SignedStepEntity,
      (await import('./keys/zone-key.entity.js')).ZoneKeyEntity,
      (await import('./keys/key-signature.entity.js')).KeySignatureEntity,
      (await import('./rollovers/zone-rollover.entity.js')).ZoneRolloverEntity,
      (await import('./parent/zone-parent.entity.js')).ZoneParentEntity,
    ],
    migrations: [
      migration(
        'ExpandZoneKeys1764570000000',
        () => import('../database/migrations/1764570000000-expand-zone-keys.js'),
        {
          transaction: false,
        },
      ),
      migration(
        'ExpandKeySignatures1764580000000',
        () => import('../database/migrations/1764580000000-expand-key-signatures.js'),
      ),
    ],
  }),
  core: async ({ config: { dnssec } }) => {
    const { DnssecModule } = await import('./dnssec.module.js');
    const { SignedZones } = await import('../publishing/transfers/signed-zones.js');
    const { ZoneDeletionGuard, OwnedResources } = await import('../zones/zone-contents.js');
    const { Parents } = await import('./parent/parents.js');
    const { Signer } = await import('./signing/signer.js');
    const { OwnerKeys } = await import('./keys/zone-key.repository.js');
    const { SignedZoneGuard } = await import('./dnssec.service.js');
    const { SignedZoneText } = await import('./state/signed-zone-text.js');
    const { StoredSignedZones } = await import('./state/stored-signed-zones.js');
    const { SignedTexts } = await import('../zone-files/export/zone-text.js');
    const { KeyToken, NoKeyToken } = await import('../dns/dnssec/key-token.js');
    const hasToken = dnssec.enabled && dnssec.tokenLibrary !== null;
    const token = hasToken ? (await import('./keys/pkcs11-token.js')).Pkcs11Token : NoKeyToken;
    return {
      modules: [DnssecModule.register(optionsOf(dnssec), dnssec.enabled)],
      ports: [
        fill(SignedZones, StoredSignedZones),
        fill(ZoneDeletionGuard, SignedZoneGuard),
        fill(OwnedResources, OwnerKeys),
        fill(SignedTexts, SignedZoneText),
        fill(KeyToken, token),
      ],
      background: dnssec.enabled ? [{ service: Signer }, { service: Parents }] : [],
    };
  },
  api: async ({ config: { dnssec } }) => {
    if (!dnssec.enabled) return {};
    const { DnssecController } = await import('./v1/dnssec.controller.js');
    const { ParentLookController } = await import('./v1/parent-look.controller.js');
    const { RolloversController } = await import('./v1/rollovers.controller.js');
    const { ZoneDnssecController } = await import('./v2/dnssec.controller.js');
    return {
      modules: [moduleOf('DnssecV1', { controllers: [DnssecController, ParentLookController, RolloversController] })],
      v2: [moduleOf('DnssecV2', { controllers: [ZoneDnssecController] })],
    };
  },
});

const DAY = 86_400;

function optionsOf(dnssec: PluginSettings['config']['dnssec']): DnssecOptions {
  const { enabled, encryptionKeys, algorithm, denial, validity, refresh, maxTtl, ...others } = dnssec;
  const {
    csk,
    ksk,
    zsk,
    tokenLibrary: library,
    token: label,
    tokenPin: pin,
    tokenSessions: sessions,
    ...ofParents
  } = others;
  const inSeconds = (days: number | null): number | null => days && days * DAY;
  return {
    encryptionKeys: enabled ? encryptionKeys.map((key) => Buffer.from(key, 'base64')) : [],
    token: library === null || label === null || pin === null ? null : { library, label, pin, sessions },
    algorithm,
    denial,
    validity: validity * DAY,
    refresh: refresh * DAY,
    maxTtl,
    lifetimes: { csk: inSeconds(csk), ksk: inSeconds(ksk), zsk: inSeconds(zsk) },
    ...ofParents,
  };
}
