import { Injectable, type PipeTransform } from '@nestjs/common';
import { RecordTypes } from '../../../dns/rdata/index.js';
import { CreateRecordDto } from '../dto/create-record.dto.js';
import { readNewRecord, type RecordContent } from '../../record-content.js';
import { RecordsOptions } from '../../records.options.js';
import { recordFieldsOf } from './record-fields.js';

/** Reads type, name, data and priority of a new record, by the rules of its type (behaviour 4 and 5). */
@Injectable()
export class RecordContentPipe implements PipeTransform<CreateRecordDto, RecordContent> {
  constructor(
    private readonly types: RecordTypes,
    private readonly options: RecordsOptions,
  ) {}

  transform(body: CreateRecordDto): RecordContent {
    return readNewRecord(this.types, recordFieldsOf(body, this.options));
  }
}
