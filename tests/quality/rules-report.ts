import { fixed, integer, tableLines } from '../../bench/table.ts';
import type { SeedSet } from './fraud-quality.ts';
import type { FoundRuns, RulesQuality, TypeComparison } from './rules-quality.ts';

export const FOUND_HEADER = ['', 'runs', 'both', 'detector only', 'rule only'];

/** The report as Markdown; `commit` is the measured commit, null when unknown. */
export function rulesReport(quality: RulesQuality, set: SeedSet, commit: string | null): string {
  const { types, runs, seeds, evaluations, detectorsUs, rulesUs } = quality;
  const sections = [
    '# Rules beside detectors: the six built-in types written twice',
    'Written by `npm run quality:rules`. The files in `docs/rules/fraud` state the six detectors as rules: the same figures, ramps and weights, and the total at which the calibrated confidence of the detector is 0.5. Both are asked in the same evaluations of the scenarios of the [fraud report](fraud.md). A type is found by the detector with a finding of 0.5 or more, and by the rule when it passes.',
    `Seeds: ${set}, \`${seeds[0]}\` to \`${seeds.at(-1)}\`: ${integer(runs)} runs, ${integer(evaluations)} evaluations. Commit: ${commit ?? 'unknown'}.`,
    ...partsOf(types).flatMap(([title, rows]) => [`## ${title}`, table([FOUND_HEADER, ...rows])]),
    '## Evaluations',
    table([
      ['', 'both', 'detector only', 'rule only', 'of these, part of another finding'],
      ...types.map(({ type, evaluations: { both, detectorOnly, ruleOnly, covered } }) => [
        type,
        ...[both, detectorOnly, ruleOnly, covered].map(integer),
      ]),
    ]),
    `They differ in ${integer(differing(types))} of these evaluations.`,
    '## Where they can differ, and why',
    DIFFERENCES,
    '## Cost',
    `Half of the evaluations took the detectors no more than ${microseconds(detectorsUs)} µs, making the case not included, and the six rules no more than ${microseconds(rulesUs)} µs on top of that, on a machine with other work.`,
    '## What this does not show',
    LIMITS,
  ];
  return `${sections.join('\n\n')}\n`;
}

/** Attacks of the type, attacks of others, and what is innocent: a table each. */
export function partsOf(types: readonly TypeComparison[]): [title: string, rows: string[][]][] {
  const rows = (read: (comparison: TypeComparison) => FoundRuns) =>
    types.map((comparison) => [comparison.type, ...cellsOf(read(comparison))]);
  return [
    ['Attacks of the type', rows(({ attacks }) => attacks)],
    ['Attacks of other types', rows(({ others }) => others)],
    ['Innocent runs: false alarms', rows(({ innocent }) => innocent)],
  ];
}

function differing(types: readonly TypeComparison[]): number {
  return types.reduce(
    (sum, { evaluations }) => sum + evaluations.detectorOnly + evaluations.ruleOnly,
    0,
  );
}

function microseconds(value: number | null): string {
  return value === null ? '-' : fixed(value, 0);
}

function cellsOf({ runs, both, detectorOnly, ruleOnly }: FoundRuns): string[] {
  return [runs, both, detectorOnly, ruleOnly].map(integer);
}

function table(rows: readonly (readonly string[])[]): string {
  return tableLines(rows).join('\n');
}

const DIFFERENCES = `- **What belongs to another finding.** A fake dump, or an exit, whose transactions are those of a bundle-and-launder is left out of the findings (METHODS §7.6). A rule sees the figures of one type and not which transactions two groups share, so it passes beside the rule for laundering. The last column counts the evaluations in which it did.
- **Calibration.** A rule has the total at which the map of this version gives 0.5, rounded to four digits, so that it may differ by less than a thousandth of confidence. With another map the rules would have to be written anew.
- **Confidence.** Findings have the calibrated one. A rule begins at 0.5 and adds a tenth or two for each of its reasons: CEL has no exponential function, and such sums are readable.
- **Groups.** Who belongs to a group, and whether it passes the gates, is the work of the detector for both: rules begin at its figures.`;
const LIMITS = `- As both read the same figures, agreement shows that the features of a case are those of the findings and that rules can state what detectors compare. It is no second opinion on whether either is right.
- The limits of the [fraud report](fraud.md) apply: the scenarios are the project's own, and cases are made by the naive builder.`;
