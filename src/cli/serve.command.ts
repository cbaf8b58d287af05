import { Command, InjectCommander } from 'nest-commander';
import { packageVersion } from '../app/package-version.js';
import { serve } from '../app/serve.js';
import { CommonCommand } from './common-command.js';
import { type CommonOptions, configOf } from './with-application.js';

/** What we use of commander's root command. */
interface Program {
  name(name: string): Program;
  version(version: string): Program;
}

@Command({ name: 'serve', description: 'run the service, as npm start does' })
export class ServeCommand extends CommonCommand {
  constructor(@InjectCommander() program: Program) {
    super();
    // Without this the program goes by the name of the file that starts it.
    program.name('zonewright').version(packageVersion());
  }

  override run(_: string[], options: CommonOptions): Promise<void> {
    return serve(configOf(options));
  }
}
