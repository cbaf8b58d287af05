import { Injectable, type PipeTransform } from '@nestjs/common';
import { RecordTypes } from '../../../dns/rdata/index.js';
import { CreateRecordDto } from '../dto/create-record.dto.js';
import { readRecordContent, type RecordContent } from '../../record-content.js';

/** Meaning after shape: type, name, data and priority of a new record, read by its type. */
@Injectable()
export class RecordContentPipe implements PipeTransform<CreateRecordDto, RecordContent> {
  constructor(private readonly types: RecordTypes) {}

  transform(body: CreateRecordDto): RecordContent {
    return readRecordContent(this.types, body);
  }
}
