import { OptionalText } from '../../../../http/bodies/dto-fields.js';

const LONGEST_TOKEN = 8192;
const LONGEST_PASSWORD = 1024;
const LONGEST_NAME = 255;

/** Either a token, or a Keystone user. */
export class SignInDto {
  @OptionalText({ maxLength: LONGEST_TOKEN, example: 'zw_6nV0p8rPzV7Zq7pXrLmN3bTq1wYcE5uJh2kD4sGfA9o' })
  token?: string;

  @OptionalText({ maxLength: LONGEST_NAME, example: 'alice' })
  username?: string;

  @OptionalText({ maxLength: LONGEST_PASSWORD, format: 'password', example: 'a password' })
  password?: string;

  @OptionalText({ maxLength: LONGEST_NAME, example: 'dns', description: "The project; without it, the user's." })
  project?: string;

  @OptionalText({ maxLength: LONGEST_NAME, example: 'Default', description: 'The Keystone domain of the user.' })
  user_domain?: string;

  @OptionalText({ maxLength: LONGEST_NAME, example: 'Default', description: 'The one of the project.' })
  project_domain?: string;
}
