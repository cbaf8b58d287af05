import { applyDecorators } from '@nestjs/common';
import { IsEmail, IsString, Matches, MaxLength } from '../../../http/bodies/class-validator.js';

const UNQUOTED_ASCII = /^[\x21\x23-\x7e]*$/;
/** RFC 1035 §8: the local part becomes one label of the SOA record's mailbox name. */
const LOCAL_PART_OF_ONE_LABEL = /^[^@]{1,63}@/;
/** The mailbox name has at most 255 octets; two of them are the first length octet and the root. */
const MAX_MAILBOX = 253;

/** Checks that a field is a mailbox for an SOA record: ASCII without quotes, one `@`, a domain (behaviour 7.1). */
export function IsMailbox(): PropertyDecorator {
  return applyDecorators(
    IsString(),
    Matches(UNQUOTED_ASCII, {
      message: 'email is plain ASCII without quotes; write an international domain as A-labels',
    }),
    IsEmail(
      { allow_utf8_local_part: false, allow_underscores: true },
      { message: 'email is a mailbox such as hostmaster@example.org' },
    ),
    Matches(LOCAL_PART_OF_ONE_LABEL, { message: 'email has at most 63 characters before its @' }),
    MaxLength(MAX_MAILBOX),
  );
}
