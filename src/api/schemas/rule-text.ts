import { RULE_BYTES_MAX } from '../../model/rule-change.ts';
import { LinesParameter } from './lines-parameter.ts';

const PROBLEMS_SHOWN = 5;

/** The text of a rule in a body. */
export const RuleText = (description: string) =>
  LinesParameter({ description, maxLength: RULE_BYTES_MAX });

/** A rule that compiles, for examples. */
export const exampleRule = (kind: 'alert' | 'signal') => `name: quiet-accumulation
version: 1
kind: ${kind}
title: Many buy while the price stands still
pattern: Unconnected organic wallets buy within five minutes while the price moves little.
rationale: Buyers who are not in a hurry may know more than those who are.
look_alikes: [A pool with so much liquidity that nothing moves its price.]
scope: pool_minute
when: window.organic_buyers_5m >= 10 && window.return_5m < 0.02 && window.return_5m > -0.02
confidence: 0.5
evidence: [window.organic_buyers_5m, window.return_5m]
`;

/** The first problems of a rule that is refused, as one text. */
export const problemsShown = (problems: readonly string[]): string =>
  problems.slice(0, PROBLEMS_SHOWN).join(' ');
