/**
 * Judges recorded launches, with and without a bundle, and reports what is found. Exits with 1 when a
 * number is missed.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { printTable } from '../bench/table.ts';
import { judgeLaunches, judgeSingleLaunches } from '../tests/quality/launches/judge-launches.ts';
import { readLabelledLaunches } from '../tests/quality/launches/labelled-launches.ts';
import { launchReport, launchRows } from '../tests/quality/launches/launch-report.ts';
import { readCreations } from '../tests/quality/launches/recorded-creations.ts';
import { hasTestData, testData } from '../tests/support/test-data.ts';

const HELP = `Says what is found of recorded launches, with and without a bundle.

  --out <file>     writes the report as Markdown
  --json           writes the rows to standard output as JSON, instead of a table
  --help           this text

Takes seconds. Ends with 1 when a number is missed. Needs the recorded data of MINTSCOPE_TEST_DATA,
and says so without it.

Example:
  npm run quality:launches -- --out docs/quality/launches.md`;

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

async function main(): Promise<void> {
  if (!hasTestData) {
    console.error(`Skipped: there is no recorded data in ${testData} (MINTSCOPE_TEST_DATA).`);
    return;
  }
  const labelled = judgeLaunches(readLabelledLaunches(testData));
  const single = judgeSingleLaunches(await readCreations(testData));
  const figures = { ...labelled, controls: [...labelled.controls, single] };
  const rows = launchRows(figures);
  if (values.out !== undefined) writeFileSync(values.out, launchReport(figures));
  if (values.json) console.log(JSON.stringify(rows, null, 2));
  else {
    printTable('Recorded launches', [
      ['what', 'wanted', 'measured', 'met'],
      ...rows.map(({ what, wanted, hits, of, isMet }) => [
        ...[what, wanted, `${hits} of ${of}`],
        isMet ? 'yes' : 'NO',
      ]),
    ]);
  }
  if (rows.some(({ isMet }) => !isMet)) process.exitCode = 1;
}

if (values.help) console.log(HELP);
else await main();
