/** What names a trade, of any answer or message. */
interface TradeName {
  readonly trade_id: string;
  readonly pair_address: string;
  readonly token_address: string;
}

/** Swaps of one instruction share their identifier: pool and token tell them apart. */
export function tradeKey({ trade_id, pair_address, token_address }: TradeName): string {
  return `${trade_id} ${pair_address} ${token_address}`;
}
