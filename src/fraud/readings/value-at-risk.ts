import { mulDiv } from '../../lib/decimal.ts';
import type { InvolvedWallet } from '../../model/fraud.ts';
import type { CaseMarket, MintCase } from '../../model/mint-case.ts';
import {
  type Address,
  asLamports,
  asRawAmount,
  asUsdNano,
  type Lamports,
  type RawAmount,
  type UsdNano,
} from '../../model/units.ts';

const BPS = 10_000n;
/** Scale of a SOL price in dollars: nine decimals. */
const SOL_USD_PARTS = 1e9;

/**
 * Lamports that selling `baseRaw` at once would take out of the pool: Q·q(1−φ) / (B + q(1−φ)) of
 * METHODS §7.2, rounded down and limited to the takeable quote.
 */
export function extractableLamports(market: CaseMarket, baseRaw: RawAmount): Lamports {
  const soldRaw = baseRaw * (BPS - BigInt(market.feeBps));
  const reserveRaw = market.baseRaw * BPS + soldRaw;
  if (baseRaw <= 0n || reserveRaw === 0n) return asLamports(0n);
  const out = mulDiv(market.quoteLamports, soldRaw, reserveRaw, 'down');
  if (out > market.withdrawableLamports) return market.withdrawableLamports;
  return asLamports(out);
}

/** Dollar value of an amount of SOL, rounded down; null when the price is unknown. */
export function lamportsToUsd(lamports: Lamports, solUsd: number | null): UsdNano | null {
  if (solUsd === null) return null;
  const price = BigInt(Math.round(solUsd * SOL_USD_PARTS));
  return asUsdNano(mulDiv(lamports, price, BigInt(SOL_USD_PARTS), 'down'));
}

/** Dollars that these wallets could extract with all holdings; null without a market or price. */
export function holdingsAtRiskUsd(mintCase: MintCase, wallets: Iterable<Address>): UsdNano | null {
  const { market } = mintCase;
  if (market === null) return null;
  let heldRaw = 0n;
  for (const wallet of new Set(wallets)) heldRaw += mintCase.wallets.get(wallet)?.balanceRaw ?? 0n;
  return lamportsToUsd(extractableLamports(market, asRawAmount(heldRaw)), market.solUsd);
}

/** The same for the wallets of a finding. */
export function walletsAtRiskUsd(
  mintCase: MintCase,
  wallets: readonly Pick<InvolvedWallet, 'address'>[],
): UsdNano | null {
  return holdingsAtRiskUsd(
    mintCase,
    wallets.map(({ address }) => address),
  );
}
