import type { Address } from '../../src/model/units.ts';

/**
 * The generation of pump's instructions that a client calls. `v1` and `v2` pay all fees in the
 * trade; `kept` is curve v3 and PumpSwap v2, where protocol and creator fees stay in the curve or
 * the pool. PumpSwap has no middle form: there `v2` is `v1`.
 */
export type PumpForm = 'v1' | 'v2' | 'kept';

/** How a client calls pump's programs. */
export interface TradeStyle {
  readonly form: PumpForm;
  /** Purchases specify the tokens that the amount currently buys, and pay at most the amount. */
  readonly asksForTokens: boolean;
}

/** Returns a wallet's style, which never changes. */
export type TradeStyles = (trader: Address) => TradeStyle;

/**
 * The style of trades that share a transaction with others: the form with the fewest accounts,
 * because of the packet size.
 */
export const SHARING_STYLE: TradeStyle = { form: 'kept', asksForTokens: false };

/** The oldest form, which venues outside of a market use. */
export const FIRST_STYLE: TradeStyle = { form: 'v1', asksForTokens: false };
