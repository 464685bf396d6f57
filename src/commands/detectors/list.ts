import { Command } from 'commander';
import { readPackage } from '../../detector-modules/package/read-package.ts';
import { openDetector } from '../../detector-modules/sandbox/open-detector.ts';
import { UsageError } from '../../model/errors.ts';
import { ruleIdOf } from '../../model/rule-hit.ts';
import { printable } from '../printable.ts';

/** What is printed of a package. */
export interface ListedDetector {
  readonly place: string;
  readonly detector_id: string | null;
  readonly hash: string | null;
  readonly package_version: string | null;
  readonly severity: number | null;
  readonly pattern: string | null;
  readonly problem: string | null;
}

/** `detectors list`: whether packages can be used, and what they are. */
export function listCommand(): Command {
  return new Command('list')
    .description('Check packages of detectors, and print what identifies them.')
    .argument('<places...>', 'folders, or names of installed packages')
    .option('--folder <folder>', 'folder in which packages are installed', '.')
    .option('--json', 'print one JSON object for each package')
    .addHelpText(
      'after',
      `
The exit code is 1 if a package cannot be used.

Examples:
  mintscope detectors list ./mintscope-detector-example
  mintscope detectors list mintscope-detector-example --json | jq -r .detector_id`,
    )
    .action((places: string[], { folder, json }: { folder: string; json?: true }) => {
      for (const place of places) {
        const listed = describe(place, folder);
        if (listed.problem !== null) process.exitCode = 1;
        const line = json === true ? JSON.stringify(listed) : printable(toText(listed));
        process.stdout.write(`${line}\n`);
      }
    });
}

function describe(place: string, folder: string): ListedDetector {
  try {
    const source = readPackage(place, folder);
    const { severity, card, ...identity } = openDetector(source);
    return {
      place,
      detector_id: ruleIdOf(identity),
      hash: source.hash,
      package_version: source.packageVersion,
      severity,
      pattern: card.pattern,
      problem: null,
    };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const nothing = { detector_id: null, hash: null, package_version: null };
    return { place, ...nothing, severity: null, pattern: null, problem: error.message };
  }
}

function toText({ place, detector_id, severity, pattern, problem }: ListedDetector): string {
  if (problem !== null) return `${place}: ${problem}`;
  return `${detector_id}  severity ${severity}  ${pattern}`;
}
