import { IsChangeMessage } from '../../../records/v1/change-message.form.js';

export class RestoreDeletedDto {
  @IsChangeMessage()
  message?: string;
}
