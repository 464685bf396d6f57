import { fixed, integer, tableLines } from '../../bench/table.ts';
import type { DemoSignals } from './demo-signals.ts';
import { type Baseline, intervalText, SEEDS_LEAST, type SignalQuality } from './signal-quality.ts';
import type { ModelWalk } from './signal-walk-forward.ts';

/** The report as Markdown; `demo` is null when the demo was not played. */
export function signalReport(
  {
    runs,
    candidates,
    randomMinutes,
    checks,
    published,
    walks,
    seeds: bySeed,
    tenMinutes,
  }: SignalQuality,
  demo: DemoSignals | null,
): string {
  const seeds = runs.map(({ plan }) => `\`${plan.seed}\` (${plan.days} days)`).join(', ');
  const transactions = runs.reduce((sum, run) => sum + run.transactions, 0);
  const sections = [
    '# Signals: what following them would have brought',
    'Written by `npm run quality:signals`, which ends with 1 when a check of the evaluator fails. Everything here is measured on markets that the project simulates itself: prices there follow people whose money and moods are chosen (docs/decisions/0009). That a model earns something here, or nothing, says nothing of the real chain; that the evaluator cannot be fooled is what is shown.',
    `Seeds: ${seeds}; ${integer(transactions)} transactions, ${integer(candidates)} minutes followed, ${integer(randomMinutes)} of them random.`,
    ...(runs.length < SEEDS_LEAST ? [FEW_SEEDS] : []),
    '## Checks of the evaluator',
    table([
      ['', 'wanted', 'measured', 'met'],
      ...checks.map(({ what, wanted, measured, isMet }) => [
        what,
        wanted,
        measured,
        isMet ? 'yes' : 'NO',
      ]),
    ]),
    '## Models, walked forward',
    METHOD,
    table([
      [
        'model',
        'tries',
        'signals',
        'matched',
        'median %',
        'mean %',
        'random minutes %',
        'lift',
        '95 of 100',
        'periods ahead',
        'status',
      ],
      ...walks.map(walkRow),
      ['bought at ten minutes', '-', ...baselineRow(tenMinutes), '-', '-'],
    ]),
    silentText(walks),
    `With the published parameters, over all days and not the test periods alone: ${published.map(({ model, count }) => `\`${model}\` ${integer(count)}`).join(', ')}. Fewer than twenty signals are too few to say what a model is worth.`,
    '## Seeds one by one',
    'Signals in the test periods, their mean, and the lift over random minutes with its interval; the last column is the baseline that buys every token ten minutes after its launch.',
    table([
      ['seed', ...walks.map(({ model }) => model), 'bought at ten minutes'],
      ...bySeed.map(({ seed, ...of }) => [
        seed,
        ...of.walks.map(liftText),
        liftText(of.tenMinutes),
      ]),
    ]),
    'Parameters chosen, period by period (factor on amounts and numbers asked for; - is the published set, as no set had ten signals before):',
    table([
      ['model', ...(walks[0]?.periods ?? []).map(({ fromMs }) => dateOf(fromMs))],
      ...walks.map(({ model, periods }) => [
        model,
        ...periods.map(({ chosen, signals }) => `${chosen ?? '-'} (${signals})`),
      ]),
    ]),
    '## In the demo',
    ...(demo === null ? [NO_DEMO] : [demoText(demo), demoTable(demo)]),
    '## What this does not show',
    LIMITS,
  ];
  return `${sections.join('\n\n')}\n`;
}

const METHOD =
  'For each test period of four days parameters are chosen on what was given up to a day before it began, by the mean of what could be realised, and frozen. Returns are percent of $200 by the rule +50 % / -25 % / one hour, entered at the first trade five seconds after the signal, after pool fee, terminal fee, network cost and the price impact of the own order; tokens that died are sold for what their pool gives. Each signal is compared with random minutes of tokens of like age, market cap and liquidity under the same vetoes; days are drawn again as blocks. No row is left out for what came of it. A model is live when it was ahead of random minutes in four of the last six periods, else shadow.';

const FEW_SEEDS = `**Fewer than ${SEEDS_LEAST} seeds: these are a look at some markets, and no evaluation of the models.**`;
const NO_DEMO =
  'The market of `npm start` was not played for this page: whether every model gives a signal in its first day is not measured.';
const LIMITS =
  'Own orders do not change what others do. Random minutes are compared over all days of a cell, and cells are wide. A simulated month has few tokens, and the intervals say so. Models are not evaluated on hourly candles of real tokens: no such candles are among the recorded data, and candles alone do not tell organic and smart buyers, on which every model depends.';

/** METHODS §6.3. */
const LIVE_PERIODS = 4;

function walkRow(walk: ModelWalk): string[] {
  const { model, tries, count, medianPercent, lift, periodsAhead, periods } = walk;
  return [
    model,
    integer(tries),
    integer(count),
    integer(lift?.matched ?? 0),
    count === 0 ? '-' : fixed(medianPercent, 2),
    percent(lift?.mean),
    percent(lift?.baseRate),
    percent(lift?.lift),
    intervalText(lift),
    `${periodsAhead} of ${periods.length}`,
    periodsAhead >= LIVE_PERIODS ? 'live' : 'shadow',
  ];
}

function baselineRow({ count, medianPercent, lift }: Baseline): string[] {
  return [
    integer(count),
    integer(lift?.matched ?? 0),
    count === 0 ? '-' : fixed(medianPercent, 2),
    percent(lift?.mean),
    percent(lift?.baseRate),
    percent(lift?.lift),
    intervalText(lift),
  ];
}

function liftText({ count, lift }: Baseline): string {
  if (count === 0) return 'none';
  return `${count}: ${percent(lift?.mean)}, lift ${percent(lift?.lift)} (${intervalText(lift)})`;
}

/** Says which models never fired, so that their silence is not taken for a result. */
function silentText(walks: readonly ModelWalk[]): string {
  const silent = walks.filter(({ count }) => count === 0).map(({ model }) => `\`${model}\``);
  if (silent.length === 0) return 'Every model gave signals in the test periods.';
  return `**Never fired in the test periods: ${silent.join(', ')}.** Nothing can be said of what they are worth.`;
}

function demoText({ hours, transactions, models }: DemoSignals): string {
  const silent = models.filter(({ count }) => count === 0).map(({ model }) => `\`${model}\``);
  const begun = `The market of \`npm start\` was played for its first ${hours} hours (${integer(transactions)} transactions) with the models as they are published, instead of a whole day. `;
  return silent.length === 0
    ? `${begun}Every model gave signals.`
    : `${begun}**Without a signal in that time: ${silent.join(', ')}.** Whether they give one later in the first day is not measured.`;
}

function demoTable({ models }: DemoSignals): string {
  return table([
    ['model', 'signals', 'minutes until the first'],
    ...models.map(({ model, count, firstMinutes }) => [
      model,
      integer(count),
      firstMinutes === null ? '-' : integer(firstMinutes),
    ]),
  ]);
}

function percent(value: number | undefined): string {
  return value === undefined ? '-' : fixed(value, 2);
}

function dateOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}

function table(rows: readonly (readonly string[])[]): string {
  return tableLines(rows).join('\n');
}
