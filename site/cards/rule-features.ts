import type { FeatureCard, RuleScope } from '../../src/rules/features/feature.ts';
import { FEATURES_VERSION, featuresIn } from '../../src/rules/features/registry.ts';
import { blocks, code, table } from '../markdown/compose.ts';
import { markdownUrl, type SitePage } from '../site-page.ts';

/** The record of features that the conditions of rules can name. */
export function ruleFeaturesPage(): SitePage {
  const title = 'Features of rules';
  const summary =
    'The figures that conditions of rules can name, at the end of a minute of a pool, in a case and in a cluster of it.';
  const markdown = blocks(
    `# ${title}`,
    summary,
    `Version ${FEATURES_VERSION} of the record. A feature never changes its meaning. How rules are written is described in [rules](${markdownUrl('rules')}).`,
    '## Scope pool_minute',
    'Of a pool that was traded in an ended minute.',
    featureTable('pool_minute'),
    '## Scope case',
    'Of what the detectors of fraud see of a token. Figures of a pattern are those of the strongest group that passes the gates of the built-in detector, as its findings publish them; without such a group all but the number of groups are unknown.',
    featureTable('case'),
    '## Scope cluster',
    'Of each cluster of linked wallets of a case. All features of the case can be named too.',
    featureTable('cluster', featuresIn('case').length),
  );
  return { path: 'rule-features', group: 'Reference', title, summary, markdown };
}

/** Features of a scope from a place on. */
function featureTable(scope: RuleScope, from = 0): string {
  const rows = featuresIn(scope)
    .slice(from)
    .map((feature) => [
      code(feature.name),
      typeOf(feature),
      feature.unit ?? '',
      rangeOf(feature),
      feature.description,
      `${feature.since}`,
    ]);
  return table(['Feature', 'Type', 'Unit', 'Range', 'Meaning', 'Since'], rows);
}

function typeOf({ type, itemsMax }: FeatureCard): string {
  return type === 'numbers' ? `list of at most ${itemsMax} numbers` : type;
}

function rangeOf({ range: [least, most] }: FeatureCard): string {
  if (least === null && most === null) return '';
  return `${least ?? ''} to ${most ?? 'any'}`;
}
