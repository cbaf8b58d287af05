import { type DynamicModule, Module } from '@nestjs/common';
import { DatabaseClock } from '../database/database-clock.js';
import { ChangedSets } from '../publishing/transfers/changed-sets.js';
import { ZoneReader } from '../publishing/transfers/zone-reader.js';
import { ZoneChangesModule } from '../zones/changes/zone-changes.module.js';
import { DnssecFigures } from './dnssec-figures.js';
import { DnssecOptions } from './dnssec.options.js';
import { DnssecRequests } from './dnssec-requests.js';
import { DnssecService } from './dnssec.service.js';
import { FirstKeys } from './keys/first-keys.js';
import { KeyTransfer } from './keys/key-transfer.js';
import { KeyVault } from './keys/key-vault.js';
import { ReadableKeys } from './keys/readable-keys.js';
import { ZoneKeyRepository } from './keys/zone-key.repository.js';
import { ZoneKeys } from './keys/zone-keys.js';
import { CdsNotifications } from './parent/cds-notifications.js';
import { HostedParents } from './parent/hosted-parents.js';
import { LeftParents } from './parent/left-parents.js';
import { OwnChanges } from './parent/own-changes.js';
import { ParentLooks } from './parent/parent-looks.js';
import { ParentOutcome } from './parent/parent-outcome.js';
import { ParentServers } from './parent/parent-servers.js';
import { Parents } from './parent/parents.js';
import { SeenParents } from './parent/seen-parents.js';
import { SignalZones } from './parent/signal-zones.js';
import { ValidatingResolver } from './parent/validating-resolver.js';
import { ZoneParentRepository } from './parent/zone-parent.repository.js';
import { ParentStatements } from './parent-statements.js';
import { FullChecks } from './runs/full-checks.js';
import { Rollovers } from './rollovers/rollovers.js';
import { RolloversService } from './rollovers/rollovers.service.js';
import { ZoneRolloverRepository } from './rollovers/zone-rollover.repository.js';
import { PublicationOfRun } from './runs/publication-of-run.js';
import { SigningClock } from './runs/signing-clock.js';
import { Signer } from './runs/signer.js';
import { SignedSetsCleanup } from './state/signed-sets-cleanup.js';
import { SignedSpelling } from './runs/signed-spelling.js';
import { SigningProgress } from './runs/signing-progress.js';
import { SigningRuns } from './runs/signing-runs.js';
import { TaskReader } from './runs/task-reader.js';
import { WholeZoneSigning } from './runs/whole-zone-signing.js';
import { Unsigning } from './runs/unsigning.js';
import { CacheWaits } from './runs/cache-waits.js';
import { ZoneInOrder } from './runs/zone-in-order.js';
import { SignedZoneCheck } from './signed-zone-check.js';
import { ZoneSignatures } from './runs/zone-signatures.js';
import { SignedSetRepository } from './state/signed-set.repository.js';
import { FormerTtlsRepository } from './state/former-ttls.repository.js';
import { SignedStepRepository } from './state/signed-step.repository.js';
import { ZoneSigningRepository } from './state/zone-signing.repository.js';

/** What is known of parent zones, and what they are told. */
const PARENT = [
  ...[ZoneParentRepository, SeenParents, OwnChanges, HostedParents, SignalZones],
  ...[ValidatingResolver, ParentServers, CdsNotifications, ParentOutcome, ParentLooks, LeftParents],
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
        ReadableKeys,
        FirstKeys,
        ParentStatements,
        ...PARENT,
        ZoneKeyRepository,
        ZoneSigningRepository,
        SignedSetRepository,
        SignedStepRepository,
        FormerTtlsRepository,
        CacheWaits,
        TaskReader,
        ZoneSignatures,
        WholeZoneSigning,
        PublicationOfRun,
        DatabaseClock,
        SigningClock,
        SignedSpelling,
        SigningRuns,
        SigningProgress,
        SignedSetsCleanup,
        DnssecFigures,
        Unsigning,
        Rollovers,
        ZoneRolloverRepository,
        ZoneInOrder,
        SignedZoneCheck,
        FullChecks,
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
        ReadableKeys,
        KeyTransfer,
        SignedSpelling,
        SignedZoneCheck,
        SigningRuns,
        ZoneInOrder,
        ZoneKeyRepository,
        ZoneSigningRepository,
        SignedSetRepository,
        SignedStepRepository,
      ],
    };
  }
}
