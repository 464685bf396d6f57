/** Writes docs/quality/backtest.md: whether backtests are honest, and what they cost. */
import { writeFileSync } from 'node:fs';
import {
  type BacktestCost,
  backtestCost,
  PLANTED_TRIES,
  RULES_PER_SEED,
  SEEDS,
  type SeedHonesty,
  seedHonesty,
} from '../tests/quality/backtest-quality.ts';
import { faultsOf, INNOCENT, PEEKING } from '../tests/support/peeking-features.ts';
import { answerHelp } from './answer-help.ts';

const OUTPUT = 'docs/quality/backtest.md';
const DAYS = 3;
const WANTED_DAYS = 30;
const FEATURES = Object.entries({ ...PEEKING, ...INNOCENT });

answerHelp(`npm run quality:backtest

Runs random rules and a planted edge on ten synthetic markets, freqtrade's examples of looking ahead,
and one backtest of ${DAYS} simulated days, and writes ${OUTPUT}. Takes a few minutes.

Example:
  npm run quality:backtest`);

const seeds = SEEDS.map(seedHonesty);
writeFileSync(OUTPUT, pageOf(seeds, backtestCost(DAYS)));

function pageOf(found: readonly SeedHonesty[], cost: BacktestCost): string {
  const misses = found.reduce((sum, one) => sum + one.misses, 0);
  const edges = found.filter(({ planted }) => (planted.chargedInterval?.[0] ?? -1) > 0).length;
  return `# Backtests: whether they are honest, and what they cost

Written by \`npm run quality:backtest\`. How a backtest works is in [decision 0092](../decisions/0092-backtests.md).

## Rules that know nothing, and an edge that is there

Ten synthetic markets of 28 days: twelve tokens, each a random walk without drift, one judged minute every twenty. ${RULES_PER_SEED} random rules a market hit one minute of fifty, by hash. In another market of the same kind the price doubles within ten minutes of an omen that a rule can know, and falls back two hours later; that rule is charged for ${PLANTED_TRIES} tries. Exit at +50 % / -25 % / one hour, $200, entered after 10 s, one entry of ten fails.

| market | random rules whose interval leaves zero out, of ${RULES_PER_SEED} | planted edge: lift % | charged interval |
|---|---|---|---|
${found.map(rowOf).join('\n')}

**${misses} of ${found.length * RULES_PER_SEED} random rules** have an interval that leaves zero out (5 are expected, more than 12 one time in a thousand). **${edges} of ${found.length} planted edges** are found.

One more edge runs the whole path: a rule in CEL over the blocks of a simulated market of seven days, decoded, folded, recorded and valued (\`src/ingestion/backtest/planted-edge.test.ts\`). It is found after 100 tries, and a rule over other minutes of that market has no lift.

## Looking ahead

The mistakes that freqtrade's documentation names, rebuilt as features of tests, and what it recommends in their place. The table is of the comparison alone: a frame of one made-up pool, and the same frame cut at each of 50 hits, are given to it (\`src/backtest/proof/look-ahead.test.ts\`):

| feature | found | wanted |
|---|---|---|
${FEATURES.map(caughtRow).join('\n')}

The test fails if one of the first is not caught, or one of the innocent ones is. A second test (\`proven-recording.test.ts\`) runs the same twelve in the recording that backtests use, over a frame of the log that is being applied, which is cut where the recording cuts the log, with the same result; a canary that counts the transactions of the slot after the minute is caught there too, and all features of rules pass on generated markets. The cut replaces the one slot after the minute. That features of rules have nothing of later slots follows from what they are: pure functions of the state of an engine that has not been given them.

## Cost

A simulated market (preset \`waves\`) of ${cost.days} days: ${cost.slots} slots with ${cost.transactions} transactions, ${cost.minutes} judged minutes, every one a hit of the rule. Processor seconds, without the log's reading:

| step | ${cost.days} days | ${WANTED_DAYS} days, extrapolated | wanted |
|---|---|---|---|
| record the range (once for all rules of a range) | ${cost.plainS.toFixed(1)} | ${scaled(cost.plainS, cost)} | |
| judge a rule and value its hits | ${cost.judgeS.toFixed(1)} | ${scaled(cost.judgeS, cost)} | 60 with recording |
| prove all ${cost.checked} hits while recording: ${cost.faults} faults | ${(cost.recordS - cost.plainS).toFixed(1)} more | ${scaled(cost.recordS - cost.plainS, cost)} more | 30 |

Nearly all of it is the fold itself, two thirds of which is the fraud check. The first backtest of a range folds it once, with every minute read a second time from a log that is cut there; a rule's features depend on that check for vetoes and classes of wallets, so that it cannot be left out. Further rules over the same range reuse the recording for as long as the thread lives (15 minutes after the last backtest).
`;
}

function caughtRow([name, feature]: (typeof FEATURES)[number]): string {
  const wanted = name in PEEKING ? 'caught' : 'passes';
  return `| ${name} | ${faultsOf(name, feature).length > 0 ? 'caught' : 'passes'} | ${wanted} |`;
}

function rowOf({ seed, misses, planted }: SeedHonesty): string {
  const { lift, chargedInterval } = planted;
  const interval =
    chargedInterval === null
      ? 'too few to say'
      : chargedInterval.map((end) => end.toFixed(2)).join(' to ');
  return `| \`${seed}\` | ${misses} | ${lift?.lift.toFixed(2) ?? '-'} | ${interval} |`;
}

function scaled(seconds: number, { days }: BacktestCost): string {
  return ((seconds * WANTED_DAYS) / days).toFixed(0);
}
