import type { Caller } from '../common/caller.js';
import type { FillZone } from './zone-creator.js';

/** The records that a new zone gets from a template. */
export interface TemplateChoice {
  /** The caller, with a message for the history that names the template. */
  readonly caller: Caller;
  readonly fill: FillZone;
}

/** Port: templates for new zones. Filled by `templates/`. */
export abstract class ZoneTemplates {
  /** @param field that names the template, for errors @throws ServiceError `invalid_object` without such a template */
  abstract choose(template: string, field: string, caller: Caller): Promise<TemplateChoice>;
}
