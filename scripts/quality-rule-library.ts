/** Writes docs/quality/rule-library.md: what the hits of the library of rules are worth. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { HELD_BACK_SEEDS, libraryRules, runLibrary } from '../tests/quality/rule-library.ts';
import { ruleLibraryPage } from '../tests/quality/rule-library-report.ts';
import { answerHelp } from './answer-help.ts';

const OUTPUT = 'docs/quality/rule-library.md';
const DAYS = 6;

answerHelp(`npm run quality:rule-library

Backtests the rules in docs/rules/library on ${HELD_BACK_SEEDS.length} simulated markets of ${DAYS} days and writes
${OUTPUT}. Takes some minutes of a processor.

  --days <number>   of each market; the page is printed instead of written

Example:
  npm run quality:rule-library -- --days 1`);

const { values } = parseArgs({ options: { days: { type: 'string' } } });
const days = values.days === undefined ? DAYS : Number(values.days);
if (!(days > 0 && days <= 60)) {
  process.stderr.write(`--days takes a number of days up to 60, not "${values.days}".\n`);
  process.exit(2);
}
const run = runLibrary(libraryRules(), HELD_BACK_SEEDS, days);
process.stderr.write(`${run.seconds.toFixed(0)} s of a processor\n`);
const page = ruleLibraryPage(run);
if (values.days === undefined) writeFileSync(OUTPUT, page);
else process.stdout.write(page);
