import { Injectable, type PipeTransform } from '@nestjs/common';
import type { RecordUpdate } from '../../record-content.js';
import { RecordsOptions } from '../../records.options.js';
import type { UpdateRecordDto } from '../dto/update-record.dto.js';
import { recordFieldsOf } from './record-fields.js';

/** Reads what an update says. Whether it means anything is known when it is merged with the record (behaviour 6.2). */
@Injectable()
export class RecordUpdatePipe implements PipeTransform<UpdateRecordDto, RecordUpdate> {
  constructor(private readonly options: RecordsOptions) {}

  transform(body: UpdateRecordDto): RecordUpdate {
    return recordFieldsOf(body, this.options);
  }
}
