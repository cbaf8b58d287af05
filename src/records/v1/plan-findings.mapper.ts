import { ServiceError } from '../../common/service-error.js';
import type { BooleanParameter } from '../../http/lists/boolean-parameter.decorator.js';

/** What the parameter `findings` means. */
export const FINDS = 'With `dry_run=true`: list what the check of the domain would find then, and does not find now.';

/** @throws ServiceError `invalid_object` */
export function asksForFindings(findings: BooleanParameter = 'false', dryRun: BooleanParameter = 'false'): boolean {
  if (findings === 'true' && dryRun !== 'true')
    throw ServiceError.ofField(
      'invalid_object',
      'dry_run',
      'required',
      'findings are those of a dry run: send dry_run=true with it.',
    );
  return findings === 'true';
}
