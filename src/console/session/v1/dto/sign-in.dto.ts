import { MaxLength } from '../../../../http/bodies/class-validator.js';
import { IsText } from '../../../../http/bodies/is-text.decorator.js';
import { MayBeAbsent } from '../../../../http/bodies/may-be-absent.decorator.js';
import { ApiPropertyOptional } from '../../../../http/openapi/decorators.js';

const LONGEST_TOKEN = 8192;
const LONGEST_PASSWORD = 1024;
const LONGEST_NAME = 255;

/** Either a token, or what Keystone needs to give one. */
export class SignInDto {
  @ApiPropertyOptional({ maxLength: LONGEST_TOKEN, example: 'zw_6nV0p8rPzV7Zq7pXrLmN3bTq1wYcE5uJh2kD4sGfA9o' })
  @MayBeAbsent()
  @MaxLength(LONGEST_TOKEN)
  @IsText()
  token?: string;

  @ApiPropertyOptional({ maxLength: LONGEST_NAME, example: 'alice' })
  @MayBeAbsent()
  @MaxLength(LONGEST_NAME)
  @IsText()
  username?: string;

  @ApiPropertyOptional({ maxLength: LONGEST_PASSWORD, format: 'password', example: 'a password' })
  @MayBeAbsent()
  @MaxLength(LONGEST_PASSWORD)
  @IsText()
  password?: string;

  @ApiPropertyOptional({ maxLength: LONGEST_NAME, example: 'dns', description: "The project; without it, the user's." })
  @MayBeAbsent()
  @MaxLength(LONGEST_NAME)
  @IsText()
  project?: string;

  @ApiPropertyOptional({ maxLength: LONGEST_NAME, example: 'Default', description: 'The Keystone domain of the user.' })
  @MayBeAbsent()
  @MaxLength(LONGEST_NAME)
  @IsText()
  user_domain?: string;

  @ApiPropertyOptional({ maxLength: LONGEST_NAME, example: 'Default', description: 'The one of the project.' })
  @MayBeAbsent()
  @MaxLength(LONGEST_NAME)
  @IsText()
  project_domain?: string;
}
