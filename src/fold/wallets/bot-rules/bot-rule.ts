import type { RuleFeatures } from '../features/wallet-features.ts';

export type BotRuleName =
  | 'same_transaction_round_trips'
  | 'sandwich_pairs'
  | 'same_slot_pairs'
  | 'swap_rate'
  | 'no_sleep';

/** A behaviour that no person shows. One rule that holds makes a wallet a bot. */
export interface BotRule {
  readonly name: BotRuleName;
  /** The behaviour that the rule detects, in one sentence. */
  readonly what: string;
  /** Why no person behaves like this. */
  readonly why: string;
  holds(features: RuleFeatures): boolean;
  /** The figures that the rule evaluates, each with its threshold. */
  evidence(features: RuleFeatures): readonly Evidence[];
}

export interface Evidence {
  readonly measure: string;
  readonly value: number;
  /** The rule holds at or above this value. */
  readonly threshold: number;
}
