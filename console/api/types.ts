import type { components } from './openapi.js';

type Schemas = components['schemas'];

/** What the API answers, by the names of the screens. */
export type Zone = Schemas['DomainDto'];
export type ListedZone = Schemas['ListedDomainDto'];
export type ZoneList = Schemas['DomainListDto'];
export type StoredRecord = Schemas['RecordDto'];
export type ListedRecord = Schemas['ListedRecordDto'];
export type RecordList = Schemas['RecordListDto'];
export type DoneChanges = Schemas['DoneChangeSetDto'];
export type RecordType = Schemas['RecordTypeDto'];
export type RecordTypes = Schemas['RecordTypesDto'];
export type FieldDescription = Schemas['FieldDto'];
export type Whoami = Schemas['WhoamiDto'];
export type HistoryEntry = Schemas['HistoryEntryDto'];
export type History = Schemas['HistoryDto'];
export type Change = Schemas['ChangeDto'];
export type Changes = Schemas['ChangesDto'];
export type ChangeActor = Schemas['ChangeActorDto'];
export type Usage = Schemas['UsageDto'];
export type Difference = Schemas['DifferenceDto'];
export type Differences = Schemas['DiffDto'];
export type ImportReport = Schemas['ImportReportDto'];
export type ZoneCheck = Schemas['ZoneCheckDto'];
export type Finding = Schemas['FindingDto'];
export type Publication = Schemas['PublicationDto'];
export type FieldError = Schemas['FieldErrorDto'];
export type ErrorAnswer = Schemas['ErrorDto'];
export type SessionState = Schemas['SessionDto'];
export type SignInWays = Schemas['SignInWaysDto'];
export type SignInRequest = Schemas['SignInDto'];
