import { type DynamicModule, Module } from '@nestjs/common';
import { RecordTypes } from '../dns/rdata/index.js';
import { AddressFollower } from '../zones/changes/address-follower.js';
import { ZoneContents } from '../zones/zone-contents.js';
import { ZoneChangesModule } from '../zones/zones.module.js';
import { AnnotatedSets } from './annotated-sets.repository.js';
import { InnerOperations } from './changes/inner-operations.js';
import { CounterCheckRepository, CounterCheckService } from './maintenance/counter-check.js';
import { LabeledSets } from './labeled-sets.repository.js';
import { ManagedRecordSets } from './managed-record-sets.js';
import { RecordChangeGroup, RecordChanges } from './changes/record-changes.js';
import { RecordLists } from './lists/record-lists.js';
import { RecordSearch } from './lists/record-search.js';
import { RecordMerging } from './changes/record-merging.js';
import { ReverseAddresses } from './reverse/reverse-addresses.repository.js';
import { ReverseBuilding } from './reverse/reverse-building.js';
import { ReverseFindings } from './reverse/reverse-findings.js';
import { ReversePlaces } from './reverse/reverse-places.js';
import { ReverseRecords } from './reverse/reverse-records.js';
import { RecordRepository } from './record.repository.js';
import { RecordSetCreatorRepository } from './record-set-creator.repository.js';
import { RecordSetLists } from './lists/record-set-lists.js';
import { RecordSetSearch, SetValuesRepository } from './lists/record-set-search.js';
import { SetCandidatesRepository } from './lists/set-candidates.repository.js';
import { RecordSetViewRepository } from './record-set-view.repository.js';
import { RecordSetsService } from './record-sets.service.js';
import { RecordStaging } from './changes/record-staging.js';
import { RecordsOfZone } from './changes/records-of-zone.js';
import { RecordsOptions } from './records.options.js';
import { RecordsService } from './records.service.js';
import { StoredRecordCheckService, UnreadableRecordLog } from './maintenance/unreadable-records.js';
import { SeenRecordsRepository } from './seen-records.repository.js';
import { ServedZone } from './served/served-zone.js';
import { StateLoader } from './changes/state/state-loader.js';
import { ChangeLoader } from './changes/change-loader.js';
import { ChangeMemory } from './changes/change-memory.js';
import { StateWriter } from './changes/state/state-writer.js';
import { UnsortedZoneReader } from './served/unsorted-zone-reader.js';
import { RecordSetRepository } from './record-set.repository.js';
import { ShareGrants } from './changes/share-grants.js';

/** Global, because adapters, other features and plugins use it. */
@Module({})
export class RecordsModule {
  static register(options: RecordsOptions): DynamicModule {
    return {
      module: RecordsModule,
      global: true,
      imports: [ZoneChangesModule],
      providers: [
        RecordsService,
        RecordSetsService,
        RecordLists,
        RecordSearch,
        RecordSetLists,
        RecordSetSearch,
        SetCandidatesRepository,
        SetValuesRepository,
        RecordSetViewRepository,
        LabeledSets,
        ManagedRecordSets,
        RecordChanges,
        RecordChangeGroup,
        InnerOperations,
        RecordMerging,
        RecordStaging,
        ChangeLoader,
        ChangeMemory,
        StateLoader,
        StateWriter,
        ShareGrants,
        RecordRepository,
        RecordSetRepository,
        AnnotatedSets,
        SeenRecordsRepository,
        RecordSetCreatorRepository,
        ServedZone,
        UnsortedZoneReader,
        CounterCheckRepository,
        CounterCheckService,
        StoredRecordCheckService,
        UnreadableRecordLog,
        { provide: RecordTypes, useValue: options.types },
        { provide: RecordsOptions, useValue: options },
        { provide: ZoneContents, useClass: RecordsOfZone },
        ReversePlaces,
        ReverseAddresses,
        ReverseBuilding,
        ReverseFindings,
        { provide: AddressFollower, useClass: ReverseRecords },
      ],
      exports: [
        LabeledSets,
        RecordsService,
        RecordLists,
        RecordSearch,
        RecordSetsService,
        RecordTypes,
        RecordsOptions,
        ZoneContents,
        AddressFollower,
        ReverseBuilding,
        ReverseFindings,
        RecordChanges,
        InnerOperations,
        AnnotatedSets,
        RecordMerging,
        RecordStaging,
        RecordRepository,
        RecordSetRepository,
        SeenRecordsRepository,
        RecordSetCreatorRepository,
        ServedZone,
        UnsortedZoneReader,
      ],
    };
  }
}
