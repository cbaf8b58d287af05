import { inSection, option, type ValuesOf } from '../config/option.js';
import { integer } from '../config/readers.js';

export const TEMPLATE_OPTIONS = inSection('service:templates', {
  maxTemplates: option(integer(0, 1000), '100', 'maximum templates of a tenant, and of those for all tenants'),
  maxRecords: option(integer(1, 1000), '200', 'maximum records of a template'),
});

export abstract class TemplatesOptions implements ValuesOf<typeof TEMPLATE_OPTIONS> {
  abstract readonly maxTemplates: number;
  abstract readonly maxRecords: number;
}
