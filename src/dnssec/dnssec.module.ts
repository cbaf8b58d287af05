import { type DynamicModule, Module } from '@nestjs/common';
import { DatabaseClock } from '../database/database-clock.js';
import { ChangedSets } from '../publishing/transfers/changed-sets.js';
import { ZoneReader } from '../publishing/transfers/zone-reader.js';
import { ZoneChangesModule } from '../zones/changes/zone-changes.module.js';
import { DnssecMetrics } from './dnssec-metrics.js';
import { DnssecOptions } from './dnssec.options.js';
import { DnssecRequests } from './dnssec-requests.js';
import { DnssecService } from './dnssec.service.js';
import { FirstKeys } from './keys/first-keys.js';
import { KeyTransfer } from './keys/key-transfer.js';
import { KeyVault } from './keys/key-vault.js';
import { KeyDecryptionCheck } from './keys/key-decryption-check.js';
import { ZoneKeyRepository } from './keys/zone-key.repository.js';
import { ZoneKeys } from './keys/zone-keys.js';
import { CdsNotifications } from './parent/cds-notifications.js';
import { HostedParents } from './parent/hosted-parents.js';
import { StaleParents } from './parent/stale-parents.js';
import { OwnChanges } from './parent/own-changes.js';
import { ParentPoller } from './parent/parent-poller.js';
import { ParentOutcome } from './parent/parent-outcome.js';
import { ParentServers } from './parent/parent-servers.js';
import { Parents } from './parent/parents.js';
import { ParentStatus } from './parent/parent-status.js';
import { SignalZones } from './parent/signal-zones.js';
import { ValidatingResolver } from './parent/validating-resolver.js';
import { ZoneParentRepository } from './parent/zone-parent.repository.js';
import { ParentStatements } from './parent-statements.js';
import { ZoneVerification } from './signing/zone-verification.js';
import { KeyRollover } from './rollovers/key-rollover.js';
import { RolloversService } from './rollovers/rollovers.service.js';
import { ZoneRolloverRepository } from './rollovers/zone-rollover.repository.js';
import { SignedZonePublisher } from './signing/signed-zone-publisher.js';
import { SigningClock } from './signing/signing-clock.js';
import { Signer } from './signing/signer.js';
import { SignedSetsCleanup } from './state/signed-sets-cleanup.js';
import { CaseFolding } from './signing/case-folding.js';
import { SigningProgress } from './signing/signing-progress.js';
import { SigningJobs } from './signing/signing-jobs.js';
import { TaskReader } from './signing/task-reader.js';
import { WholeZoneSigning } from './signing/whole-zone-signing.js';
import { ZoneUnsigner } from './signing/zone-unsigner.js';
import { CacheExpiry } from './signing/cache-expiry.js';
import { ZoneInOrder } from './signing/zone-in-order.js';
import { SignedZoneCheck } from './signed-zone-check.js';
import { ZoneSignatures } from './signing/zone-signatures.js';
import { SignedSetRepository } from './state/signed-set.repository.js';
import { FormerTtlsRepository } from './state/former-ttls.repository.js';
import { SignedStepRepository } from './state/signed-step.repository.js';
import { ZoneSigningRepository } from './state/zone-signing.repository.js';

/** What is known of parent zones, and what they are told. */
const PARENT = [
  ...[ZoneParentRepository, ParentStatus, OwnChanges, HostedParents, SignalZones],
  ...[ValidatingResolver, ParentServers, CdsNotifications, ParentOutcome, ParentPoller, StaleParents],
];

/** What is signed, for whoever sends it; where the operator lets zones be signed, also what signs. */
@Module({})
export class DnssecModule {
  static register(options: DnssecOptions, isEnabled: boolean): DynamicModule {
    return {
      module: DnssecModule,
      global: true,
      imports: [ZoneChangesModule],
      providers: [
        { provide: DnssecOptions, useValue: options },
        ZoneReader,
        ChangedSets,
        KeyVault,
        KeyTransfer,
        ZoneKeys,
        KeyDecryptionCheck,
        FirstKeys,
        ParentStatements,
        ...PARENT,
        ZoneKeyRepository,
        ZoneSigningRepository,
        SignedSetRepository,
        SignedStepRepository,
        FormerTtlsRepository,
        CacheExpiry,
        TaskReader,
        ZoneSignatures,
        WholeZoneSigning,
        SignedZonePublisher,
        DatabaseClock,
        SigningClock,
        CaseFolding,
        SigningJobs,
        SigningProgress,
        SignedSetsCleanup,
        DnssecMetrics,
        ZoneUnsigner,
        KeyRollover,
        ZoneRolloverRepository,
        ZoneInOrder,
        SignedZoneCheck,
        ZoneVerification,
        DnssecRequests,
        DnssecService,
        RolloversService,
        ...(isEnabled ? [Signer, Parents] : []),
      ],
      exports: [
        DnssecOptions,
        DnssecService,
        RolloversService,
        KeyVault,
        KeyDecryptionCheck,
        KeyTransfer,
        CaseFolding,
        SignedZoneCheck,
        SigningJobs,
        ZoneInOrder,
        ZoneKeyRepository,
        ZoneSigningRepository,
        SignedSetRepository,
        SignedStepRepository,
      ],
    };
  }
}
