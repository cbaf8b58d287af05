import { Command } from 'nest-commander';
import { serve } from '../serve.js';
import { CommonCommand } from './common-command.js';
import { type CommonOptions, configOf } from './with-application.js';

@Command({ name: 'serve', description: 'run the service, as npm start does' })
export class ServeCommand extends CommonCommand {
  override run(_: string[], options: CommonOptions): Promise<void> {
    return serve(configOf(options));
  }
}
