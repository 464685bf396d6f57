import type { QuoteChain } from '../../model/quote-chain.ts';
import type { TokenRecord } from '../../model/token-record.ts';
import type { PriceE18, RawAmount } from '../../model/units.ts';
import { presentMetadata } from './token-metadata.ts';
import type { TokenState } from './token-state.ts';

/** A price, and the chain of prices that it depends on. */
export interface TokenPrice {
  readonly priceUsd: PriceE18 | null;
  readonly priceChain: QuoteChain | null;
}

/** The public record of a token. Price and burns come from other books. */
export function presentToken(
  state: TokenState,
  { priceUsd, priceChain }: TokenPrice,
  burnedRaw: RawAmount,
): TokenRecord {
  const { name, symbol, metadata } = presentMetadata(state.metadata);
  return {
    mint: state.mint,
    tokenProgram: state.tokenProgram,
    creator: state.creator,
    feeRecipient: state.feeRecipient,
    supplyRaw: state.supplyRaw,
    burnedRaw,
    decimals: state.decimals,
    name,
    symbol,
    mintAuthority: state.mintAuthority,
    freezeAuthority: state.freezeAuthority,
    creationSlot: state.creationSlot,
    metadata,
    liquidityEvent: state.liquidityEvent,
    primaryPool: state.primaryPool,
    priceUsd,
    priceChain,
    createdAtMs: state.createdAtMs,
    updatedAtMs: state.updatedAtMs,
    slot: state.slot,
  };
}
