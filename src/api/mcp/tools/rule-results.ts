/** Hits and signals of rules, as tools show them beside findings and signals of the service. */
import type { Static } from 'typebox';
import type { HitBody } from '../../present/present-rule.ts';
import type { RuleSignal } from '../../present/signals-body.ts';
import { untrusted } from '../answer/untrusted-text.ts';

/** The rules that a key may see, as a parameter of lists: its account's and the operator's. */
export const OF_RULES = { author: 'account,operator' } as const;

/** Without the reasons: they are texts of whoever wrote the rule. */
export function ruleHitFacts(hit: Static<typeof HitBody>) {
  return {
    rule_id: hit.rule_id,
    author: hit.author,
    kind: hit.kind,
    confidence: hit.confidence,
    token_address: hit.token_address,
    at: hit.created_at,
    slot: hit.slot,
  };
}

export function ruleSignalFacts(signal: Static<typeof RuleSignal.schema>) {
  return {
    row_id: signal.row_id,
    rule_id: signal.rule_id,
    author: signal.author,
    token_address: signal.token_address,
    at: signal.created_at,
    market_cap_usd: signal.signal_market_cap,
    liquidity_usd: signal.liquidity_usd,
    ...untrusted({ symbol: signal.symbol }),
  };
}
