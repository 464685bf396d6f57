import { Command } from 'commander';
import { backtestCommand, lookaheadCommand } from './backtest.ts';
import { diffCommand } from './diff.ts';
import { lintCommand } from './lint.ts';
import { listCommand } from './list.ts';
import { publishCommand } from './publish.ts';
import { testCommand } from './test.ts';
import { verifyHitCommand } from './verify.ts';

/** `rules`: checks, tests and publishes rules of one's own. */
export function rulesCommand(): Command {
  return new Command('rules')
    .description('Check, test and publish rules of one’s own.')
    .addCommand(lintCommand())
    .addCommand(testCommand())
    .addCommand(backtestCommand())
    .addCommand(lookaheadCommand())
    .addCommand(diffCommand())
    .addCommand(publishCommand())
    .addCommand(listCommand())
    .addCommand(verifyHitCommand())
    .addHelpText(
      'after',
      `
Examples:
  mintscope rules lint rules/
  mintscope rules test rules/
  mintscope rules publish rules/dip.yaml`,
    );
}
