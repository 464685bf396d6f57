import type { WalletBody } from '../../present/wallet-body.ts';
import type { Wire } from '../../present/wire-record.ts';

export type Wallet = Wire<typeof WalletBody>;

/** What is known of a wallet, without its positions. */
export function walletFacts({ kind, automation, skill, first_funding, position_count }: Wallet) {
  return {
    kind,
    automation: automation && {
      label: automation.label,
      kinds: automation.kinds,
      score: automation.score,
      rule: automation.rule,
      why: automation.rule_meaning,
      trades: automation.trades,
      first_trade_at: automation.first_trade_at,
      last_trade_at: automation.last_trade_at,
    },
    skill: skill && {
      is_smart: skill.is_smart,
      score: skill.score,
      profit_usd: skill.profit_usd,
      gains_usd: skill.gains_usd,
      losses_usd: skill.losses_usd,
    },
    first_funding,
    position_count,
  };
}

/** In half a sentence. */
export function classText({ kind, automation }: Wallet): string {
  if (kind !== null) return `is a known address of the kind ${kind}`;
  if (automation === null) return 'has no known trade';
  const { label, trades } = automation;
  return `is classed as ${label ?? 'unclear'} after ${trades} trades`;
}
