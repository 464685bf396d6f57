import type { CardEntry, Detector } from '../../src/fraud/contract/detector.ts';
import { DETECTORS } from '../../src/fraud/detect/registry.ts';
import type { FraudType } from '../../src/model/fraud.ts';
import { blocks, code, list, table } from '../markdown/compose.ts';
import { markdownUrl, type SitePage } from '../site-page.ts';

/** A page for each fraud detector, and one that lists them. */
export function detectorPages(): readonly SitePage[] {
  return [indexPage(), ...DETECTORS.map(detectorPage)];
}

function pathOf(type: FraudType): string {
  return `detectors/${type}`;
}

function indexPage(): SitePage {
  const title = 'Fraud detectors';
  const summary = 'The patterns that are detected in each token, with their severity.';
  const rows = DETECTORS.map(({ name, severity, card }) => [
    `[${code(name)}](${markdownUrl(pathOf(name))})`,
    `${severity}`,
    card.pattern,
  ]);
  const markdown = blocks(
    `# ${title}`,
    summary,
    table(['Pattern', 'Severity', 'What it is'], rows),
    `How links between wallets and the confidence are computed is described in [fraud findings](${markdownUrl('products/fraud')}), how often a detector is right in its [quality report](${markdownUrl('quality/fraud')}).`,
  );
  return { path: 'detectors', group: 'Reference', title, summary, markdown };
}

function detectorPage({ name, severity, card }: Detector<FraudType>): SitePage {
  const { gates, features, bias } = partsOf(card.thresholds);
  const markdown = blocks(
    `# Detector: ${name}`,
    card.pattern,
    `Severity ${severity} of 10. Reported by [\`GET /v1/fraud/check\`](${markdownUrl('endpoints/fraud')}) from a confidence of 0.5 on.`,
    '## Innocent look-alikes',
    list(card.lookAlikes),
    '## Gates',
    'All of them must hold, or nothing is reported.',
    table(
      ['Gate', 'Value', 'Reason'],
      gates.map(([name, entry]) => [code(name), valueText(entry), entry.reason]),
    ),
    '## Features',
    'A measured value becomes a number from 0 to 1 between the ends of its range, which is multiplied by its weight. Negative weights speak against the pattern.',
    table(['Feature', 'Range', 'Weight', 'Reason'], features),
    `The sum of all starts at ${bias.value}. ${bias.reason}`,
  );
  return {
    path: pathOf(name),
    group: 'Reference',
    title: `Detector: ${name}`,
    summary: card.pattern,
    markdown,
  };
}

/** The thresholds of a card: `x` and `xWeight` are of one feature, others are gates. */
function partsOf(thresholds: Readonly<Record<string, CardEntry>>) {
  const { bias, ...others } = thresholds;
  if (bias === undefined) throw new Error('A detector has no bias.');
  const weightOf = (name: string) => others[`${name}Weight`];
  const isWeight = (name: string) => name.endsWith('Weight') && name.slice(0, -6) in others;
  const entries = Object.entries(others).filter(([name]) => !isWeight(name));
  return {
    bias,
    gates: entries.filter(([name]) => weightOf(name) === undefined),
    features: entries.flatMap(([name, entry]) => {
      const weight = weightOf(name);
      return weight === undefined
        ? []
        : [[code(name), valueText(entry), valueText(weight), entry.reason]];
    }),
  };
}

function valueText({ value }: CardEntry): string {
  return typeof value === 'number' ? `${value}` : `${value[0]} to ${value[1]}`;
}
