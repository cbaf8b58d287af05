import {
  type DataInFields,
  type FieldDescription,
  type FieldFault,
  FieldsError,
  unknownFields,
} from './data-in-fields.js';
import { RdataError } from './rdata-error.js';
import type { RecordType } from './record-type.js';

/** A type without declared fields has one text for all its data. */
export function fieldsOf(type: RecordType): DataInFields {
  return type.inFields ?? new DataAsText(type);
}

/** `null` if the type no longer accepts the data, and for plugin types that change values of built-in fields. */
export function shownIn(
  type: RecordType,
  data: string,
  priority: number | null,
): Readonly<Record<string, unknown>> | null {
  try {
    return fieldsOf(type).show(type.parse(data, priority));
  } catch {
    return null;
  }
}

const PRIORITY: FieldDescription = {
  name: 'priority',
  label: 'Priority',
  form: 'number 0–65535',
  kind: 'number',
  minimum: 0,
  maximum: 0xffff,
};

class DataAsText implements DataInFields {
  readonly descriptions: readonly FieldDescription[];
  readonly priority: FieldDescription | null;

  constructor(private readonly type: RecordType) {
    const form = type.dataFields.map((field) => field.form).join(', ');
    this.descriptions = [{ name: 'data', label: 'Data', form, kind: 'presentation' }];
    this.priority = type.priority === 'required' ? PRIORITY : null;
  }

  parse(fields: Readonly<Record<string, unknown>>, priority: number | null): Uint8Array {
    const faults = unknownFields(this.type.name, this.descriptions, fields);
    const { data } = fields;
    if (data === undefined) faults.push({ path: 'fields.data', message: 'required', problem: 'required' });
    else if (typeof data !== 'string')
      faults.push({ path: 'fields.data', message: 'the data must be a string', problem: 'type' });
    if (faults.length > 0 || typeof data !== 'string') throw new FieldsError(faults);
    try {
      return this.type.parse(data, priority);
    } catch (error) {
      if (!(error instanceof RdataError)) throw error;
      throw new FieldsError([fault(error.field === 'priority' ? 'priority' : 'fields.data', error.message)]);
    }
  }

  show(rdata: Uint8Array): Readonly<Record<string, unknown>> {
    return { data: this.type.toData(rdata).data };
  }
}

function fault(path: FieldFault['path'], message: string): FieldFault {
  return { path, message, problem: 'format' };
}
