import type { DelayedExecution } from '../../src/model/backtest.ts';
import { HELD_BACK_SEEDS, type LibraryRun, type LibraryWorth } from './rule-library.ts';

/** The page on the worth of the library. */
export function ruleLibraryPage(run: LibraryRun): string {
  const { rules } = run;
  const withInterval = rules.filter(({ execution }) => execution.chargedInterval !== null);
  const ahead = withInterval.filter(({ execution }) => (execution.chargedInterval?.[0] ?? 0) > 0);
  const behind = withInterval.filter(({ execution }) => (execution.chargedInterval?.[1] ?? 0) < 0);
  const silent = rules.filter(({ report }) => report.hits === 0);
  return `# The library of rules: what its hits are worth

Written by \`npm run quality:rule-library\` from the rules in [docs/rules/library](../rules/library). How rules are written is in [rules](../rules.md), how a backtest works in [decision 0092](../decisions/0092-backtests.md).

The markets are the project's own simulation (preset \`waves\`): prices follow people whose money and moods are chosen, and some tokens find attention a second time because the preset says so. That a rule is ahead here, or behind, says nothing of the real chain. Thresholds were chosen on the seed \`train 0\`; these seeds were not looked at before: ${HELD_BACK_SEEDS.map((seed) => `\`${seed}\``).join(', ')}, ${run.days} days each, ${grouped(run.transactions)} transactions, ${grouped(run.minutes)} judged minutes of ${run.tokens} tokens, ${grouped(run.controls)} of them random.

*Hits of the fold* are all that a service would have given. *Compared* are those of the primary pool of a token under the vetoes of signals, whose exit is known: only these can be traded. They are entered after 10 s with $200 and left at +50 % / -25 % / one hour, after all fees, one entry of ten failing. The lift is the difference to random minutes of tokens of like age, market cap and liquidity, in percent of the ticket. Its interval draws days again as blocks and is charged for ${rules.length} tries, one for each rule; below 20 compared hits or five days there is none.

| rule | kind | hits of the fold | compared | mean % | lift % | interval, charged | verdict |
|---|---|---|---|---|---|---|---|
${rules.map(rowOf).join('\n')}

${sentences([
  `${ahead.length} of ${rules.length} rules are ahead of random minutes${namesOf(ahead)}`,
  `${behind.length} are behind${namesOf(behind)}`,
  `of ${withInterval.length - ahead.length - behind.length} no difference is shown`,
  `of ${rules.length - withInterval.length - silent.length} there are too few compared hits to say`,
  `${silent.length} have no hit that can be traded${namesOf(silent)}`,
])}

Alerts and labels are no advice to buy, and most describe what has happened: that they are worth nothing as a purchase is what is expected of them. Whether they mean what they say is tested on scenarios, in their files (\`mintscope rules test docs/rules/library\`).
`;
}

function rowOf({ rule, foldHits, report, execution }: LibraryWorth): string {
  const { lift, count, meanE9 } = execution;
  const cells = [
    `[${rule.file.name}](../rules/library/${rule.file.name}.yaml)`,
    rule.file.kind,
    foldHits === 0 ? 'none' : String(foldHits),
    report.hits === 0 ? 'none' : String(count),
    count === 0 || meanE9 === null ? '-' : (Number(meanE9) / 1e9).toFixed(2),
    lift === null ? '-' : lift.lift.toFixed(2),
    intervalOf(execution),
    verdictOf(report.hits, execution),
  ];
  return `| ${cells.join(' | ')} |`;
}

function intervalOf({ count, chargedInterval }: DelayedExecution): string {
  if (count === 0) return '-';
  return chargedInterval === null
    ? 'too few to say'
    : chargedInterval.map((end) => end.toFixed(2)).join(' to ');
}

/** What can be said of a rule, in words. */
export function verdictOf(hits: number, { chargedInterval }: DelayedExecution): string {
  if (hits === 0) return 'none';
  if (chargedInterval === null) return 'too few to say';
  const [low, high] = chargedInterval;
  if (low > 0) return 'ahead of random minutes';
  return high < 0 ? 'behind random minutes' : 'no difference shown';
}

function namesOf(rules: readonly LibraryWorth[]): string {
  return rules.length === 0 ? '' : ` (${rules.map(({ rule }) => rule.file.name).join(', ')})`;
}

function sentences(parts: readonly string[]): string {
  return `${parts.join('; ')}.`;
}

function grouped(count: number): string {
  return count.toLocaleString('en-US');
}
