import { Command } from 'commander';
import { PRESETS } from '../../simulator/simulation-presets.ts';
import { LoadedApiThread } from '../bridge/loaded-api-thread.ts';
import { UsageError } from '../model/errors.ts';
import { addSettings, isGiven, settingsOf } from './settings.ts';
import type { StartOptions } from './start-options.ts';

const NO_FEED = 'The role api answers from replicas: leave out --replay and --simulate.';

/** `start`: serves the API over a chain, recorded data or a simulated market. */
export function startCommand(): Command {
  const command = new Command('start')
    .description('Serve the API over a chain, recorded data, or a simulated market.')
    .option(
      '--replay <paths...>',
      'replay recorded getBlock and getTransaction responses while serving',
    )
    .option('--simulate', 'serve a simulated market; the default if there is no data folder yet')
    .option('--no-simulate', 'serve the data folder as it is, even if it is empty')
    .option('--seed <text>', 'random seed of the simulated market', PRESETS.demo.seed);
  return addSettings(command, true)
    .addHelpText(
      'after',
      `
A simulated market is stored apart from real data, in a folder with the name of the data folder plus
"-simulated", and starts from scratch each time.

Examples:
  mintscope start
  mintscope start --replay blocks/ --port 9000
  SOLANA_RPC_URL=https://rpc.example/key mintscope start
  mintscope start --simulate --seed 7
  MINTSCOPE_BOOTSTRAP_KEY="$(openssl rand -base64 24)" mintscope start`,
    )
    .action(async (options: StartOptions) => {
      const config = settingsOf({ ...options });
      if (config.role === 'ingest') {
        const { runIngestRole } = await import('./ingest-role.ts');
        return runIngestRole(config, { isServing: isGiven('port', { ...options }) });
      }
      if (config.role === 'api') {
        if (options.replay !== undefined || options.simulate === true)
          throw new UsageError(NO_FEED);
        const { runApiRole } = await import('./api-role.ts');
        return runApiRole(config);
      }
      // Its modules and those of this thread take equally long to load.
      const thread = new LoadedApiThread();
      try {
        const { startService } = await import('./start-service.ts');
        await startService(config, options, thread);
      } finally {
        await thread.discard();
      }
    });
}
