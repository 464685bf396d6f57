import type { Hit } from '../api/rule-hit.ts';
import { Badge } from './badge.tsx';
import { ChainText } from './chain-text.tsx';

/** The rule of a hit and whose it is; its version is in the title. */
export function RuleName({ hit }: { readonly hit: Pick<Hit, 'rule_id' | 'author'> }) {
  return (
    <span class="rule-name" title={hit.rule_id}>
      <ChainText text={hit.rule_id.split('@')[0]} lengthMax={32} />
      <Badge title="Author of the rule">{AUTHORS[hit.author]}</Badge>
    </span>
  );
}

const AUTHORS: Readonly<Record<Hit['author'], string>> = {
  account: 'yours',
  operator: 'operator',
};
