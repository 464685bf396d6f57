import { Command } from 'commander';
import { listCommand } from './list.ts';
import { shadowCommand } from './shadow.ts';
import { testCommand } from './test.ts';

/** `detectors`: checks, tests and compares installed detectors. */
export function detectorsCommand(): Command {
  return new Command('detectors')
    .description('Check, test and compare installed detectors.')
    .addCommand(listCommand())
    .addCommand(testCommand())
    .addCommand(shadowCommand())
    .addHelpText(
      'after',
      `
Examples:
  mintscope detectors list ./mintscope-detector-example
  mintscope detectors test ./mintscope-detector-example
  mintscope detectors shadow`,
    );
}
