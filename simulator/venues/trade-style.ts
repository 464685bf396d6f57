import type { Address } from '../../src/model/units.ts';

/**
 * Which generation of pump's instructions a client calls. `v1` and `v2` pay all fees in the trade;
 * `kept` is curve v3 and PumpSwap v2, where protocol and creator fees wait in the curve or the pool.
 * PumpSwap has no form between: there `v2` is `v1`.
 */
export type PumpForm = 'v1' | 'v2' | 'kept';

/** How somebody's client asks pump's programs for a trade. */
export interface TradeStyle {
  readonly form: PumpForm;
  /** Purchases ask for the tokens that the amount buys now, and pay at most the amount. */
  readonly asksForTokens: boolean;
}

/** The style of every wallet: the same whenever it is asked for. */
export type TradeStyles = (trader: Address) => TradeStyle;

/**
 * The style of trades that share a transaction with others: the form with the fewest accounts, since
 * a transaction has to fit into a packet.
 */
export const SHARING_STYLE: TradeStyle = { form: 'kept', asksForTokens: false };

/** What was there first, and what venues outside of a market use. */
export const FIRST_STYLE: TradeStyle = { form: 'v1', asksForTokens: false };
