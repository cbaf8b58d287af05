import { IsChangeMessage } from '../../../records/v1/change-message.mapper.js';

export class RestoreDeletedDto {
  @IsChangeMessage()
  message?: string;
}
