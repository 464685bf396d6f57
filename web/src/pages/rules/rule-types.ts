import type { BodyOf } from '../../api/client.ts';

export type { Hit } from '../../api/rule-hit.ts';

import type { Tone } from '../../ui/badge.tsx';

export type Rule = BodyOf<'/v1/rules'>['rules'][number];
export type Author = Rule['author'];
export type Backtest = BodyOf<'/v1/backtests'>['backtests'][number];

/** The rule that was published or withdrawn. */
export type ChangedRule = Omit<Rule, 'hit_count'>;

export const STATE_TONES: Readonly<Record<Backtest['state'], Tone>> = {
  queued: 'neutral',
  running: 'accent',
  done: 'good',
  failed: 'bad',
  cancelled: 'neutral',
};

/** Names a rule among those of the account and the operator. */
export function ruleKeyOf({ author, name }: Pick<Rule, 'author' | 'name'>): string {
  return `${author}/${name}`;
}
