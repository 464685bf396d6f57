import type { WalletFeatures } from '../features/wallet-features.ts';

export type BotRuleName =
  | 'same_transaction_round_trips'
  | 'sandwich_pairs'
  | 'same_slot_pairs'
  | 'swap_rate'
  | 'no_sleep';

/** Something no person does: it makes a wallet a bot by itself. */
export interface BotRule {
  readonly name: BotRuleName;
  /** What it looks for, in one sentence. */
  readonly what: string;
  /** Why no person does it. */
  readonly why: string;
  holds(features: WalletFeatures): boolean;
  /** The figures it looks at, each with what it takes. */
  evidence(features: WalletFeatures): readonly Evidence[];
}

export interface Evidence {
  readonly measure: string;
  readonly value: number;
  /** From here on the rule holds. */
  readonly threshold: number;
}
