import { applyDecorators } from '@nestjs/common';
import { IsString, Matches, MaxLength } from '../../../http/bodies/class-validator.js';

/** Of the mailbox's host; names have underscores, although hosts should not (RFC 2181 §11). */
const LABEL = '[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?';
/** RFC 1035 §8: the local part becomes one label of the SOA record's mailbox name. */
const MAILBOX = new RegExp(`^[A-Za-z0-9._-]{1,63}@${LABEL}(?:\\.${LABEL})*$`);
/** The mailbox name has at most 255 octets; two of them are the first length octet and the root. */
const MAX_MAILBOX = 253;

/** Checks that a field is a mailbox as version 2 takes them; its domain may be of one label. */
export function IsZoneEmail(): PropertyDecorator {
  return applyDecorators(
    IsString(),
    MaxLength(MAX_MAILBOX),
    Matches(MAILBOX, {
      message: 'email is a mailbox such as hostmaster@example.org, of letters, digits and ".", "_", "-"',
    }),
  );
}
