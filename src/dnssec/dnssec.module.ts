import { type DynamicModule, Module } from '@nestjs/common';
import { DatabaseClock } from '../database/database-clock.js';
import { ChangedSets } from '../publishing/transfers/changed-sets.js';
import { ZoneReader } from '../publishing/transfers/zone-reader.js';
import { ZoneChangesModule } from '../zones/zones.module.js';
import { DnssecMetrics } from './dnssec-metrics.js';
import { DnssecOptions } from './dnssec.options.js';
import { DnssecRequests } from './dnssec-requests.js';
import { DnssecService } from './dnssec.service.js';
import { EncryptedKeys } from './keys/encrypted-keys.js';
import { FirstKeys } from './keys/first-keys.js';
import { KeyResponses } from './keys/key-responses.js';
import { KeyVault } from './keys/key-vault.js';
import { OfflineKeysService } from './keys/offline-keys.service.js';
import { RetiredTokenKeys } from './keys/retired-token-keys.js';
import { ZoneKeyRepository } from './keys/zone-key.repository.js';
import { ZoneKeys } from './keys/zone-keys.js';
import { CdsNotifier } from './parent/cds-notifier.js';
import { HostedParents } from './parent/hosted-parents.js';
import { HostedZones } from './parent/hosted-zones.js';
import { ParentOutcome } from './parent/parent-outcome.js';
import { ParentObserver, ParentPoller } from './parent/parent-poller.js';
import { ParentViewer } from './parent/parent-viewer.js';
import { ParentServers } from './parent/parent-servers.js';
import { Parents, StaleParents } from './parent/parents.js';
import { SignalZones } from './parent/signal-zones.js';
import { ValidatingResolver } from './parent/validating-resolver.js';
import { ZoneParentRepository } from './parent/zone-parent.repository.js';
import { ParentStatements } from './parent-statements.js';
import { KeyRollover } from './rollovers/key-rollover.js';
import { OldSignatures } from './rollovers/old-signatures.js';
import { RolloversService } from './rollovers/rollovers.service.js';
import { RolloverCalendar } from './rollovers/rollover-calendar.js';
import { RolloverStages } from './rollovers/rollover-stages.js';
import { ScheduledRollovers } from './rollovers/scheduled-rollovers.js';
import { ZoneRolloverRepository } from './rollovers/zone-rollover.repository.js';
import { SignedZoneCheck, ZoneVerification } from './signed-zone-check.js';
import { SigningContext } from './signing-context.js';
import { CacheExpiry } from './signing/cache-expiry.js';
import { ContentDifferences } from './signing/content-differences.js';
import { PresentSetsReader } from './signing/present-sets.js';
import { SignedZonePublisher } from './signing/signed-zone-publisher.js';
import { Signer, SigningMaintenance } from './signing/signer.js';
import { SigningClock } from './signing/signing-clock.js';
import { SigningJobs } from './signing/signing-jobs.js';
import { SigningProgress, ZoneUnsigner } from './signing/signing-progress.js';
import { TaskReader } from './signing/task-reader.js';
import { CaseFolding, ZoneInOrder } from './signing/zone-in-order.js';
import { WholeZoneSigner, ZoneSignatures } from './signing/zone-signatures.js';
import { FormerTtlsRepository } from './state/former-ttls.repository.js';
import { SignedSetsCleanup } from './state/generations.js';
import { SignedSetRepository } from './state/signed-set.repository.js';
import { SignedStepRepository } from './state/signed-step.repository.js';
import { ZoneSigningRepository } from './state/zone-signing.repository.js';

const STATE = [
  ...[ZoneSigningRepository, SignedSetRepository, SignedStepRepository, FormerTtlsRepository],
  ...[ZoneKeyRepository, KeyResponses, ZoneRolloverRepository, ZoneParentRepository, SigningContext, SignedSetsCleanup],
];
const KEYS = [
  ...[KeyVault, ZoneKeys, FirstKeys, EncryptedKeys, RetiredTokenKeys],
  ...[KeyRollover, RolloverStages, OldSignatures],
];
const SIGNING = [
  ...[DatabaseClock, SigningClock, ZoneReader, ChangedSets, PresentSetsReader, ContentDifferences, CaseFolding],
  ...[ZoneInOrder, TaskReader, ZoneSignatures, WholeZoneSigner, SignedZonePublisher, SigningJobs, CacheExpiry],
  ...[
    ZoneUnsigner,
    SigningProgress,
    SignedZoneCheck,
    ZoneVerification,
    DnssecMetrics,
    SigningMaintenance,
    ScheduledRollovers,
  ],
];
const PARENT = [
  ...[HostedZones, HostedParents, SignalZones, ValidatingResolver, ParentServers, ParentObserver, CdsNotifier],
  ...[ParentStatements, ParentOutcome, ParentPoller, StaleParents],
];

/** Serves signed zones in every process. Processes with `enabled` also sign and poll parent zones. */
@Module({})
export class DnssecModule {
  static register(options: DnssecOptions, isEnabled: boolean): DynamicModule {
    return {
      module: DnssecModule,
      global: true,
      imports: [ZoneChangesModule],
      providers: [
        { provide: DnssecOptions, useValue: options },
        ...[...STATE, ...KEYS, ...SIGNING, ...PARENT],
        ...[DnssecRequests, DnssecService, ParentViewer, RolloversService, RolloverCalendar, OfflineKeysService],
        ...(isEnabled ? [Signer, Parents] : []),
      ],
      exports: [
        ...[DnssecOptions, DnssecService, ParentViewer, RolloversService, RolloverCalendar, OfflineKeysService],
        ...[ZoneKeys, EncryptedKeys, SigningContext],
        ...[CaseFolding, SignedZoneCheck, SigningJobs, ZoneInOrder],
        ...[ZoneKeyRepository, ZoneSigningRepository, SignedSetRepository, SignedStepRepository],
      ],
    };
  }
}
