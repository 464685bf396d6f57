import type { MarketFact } from '../../simulator/chain/market-fact.ts';
import { WRAPPED_SOL } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';

/** The result of a wallet in one mint that it began to buy in a period. */
export interface WalletEpisode {
  readonly wallet: Address;
  readonly mint: Address;
  /** Natural logarithm of proceeds over cost, limited to ± 3. */
  readonly logReturn: number;
}

interface Account {
  readonly wallet: Address;
  readonly mint: Address;
  heldRaw: bigint;
  paidLamports: bigint;
  gotLamports: bigint;
}

type TradeFact = MarketFact & { readonly kind: 'trade' };

const RETURN_MOST = 3;
/** Smaller purchases are ignored. */
const PAID_LEAST_LAMPORTS = 10_000_000n;

/**
 * Returns by wallet and mint from the trades that the venues themselves recorded, in lamports,
 * independent of the engine, its prices and its books. Tokens bought earlier do not count as sold
 * here.
 */
export class WalletEpisodes {
  private readonly accounts = new Map<string, Account>();

  applyTrade({ trader, baseMint, quoteMint, side, baseRaw, quoteRaw }: TradeFact): void {
    if (quoteMint !== WRAPPED_SOL || trader === null) return;
    const key = `${trader} ${baseMint}`;
    const known = this.accounts.get(key);
    if (side === 'buy') {
      const account = known ?? opened(trader, baseMint);
      if (known === undefined) this.accounts.set(key, account);
      account.heldRaw += baseRaw;
      account.paidLamports += quoteRaw;
    } else if (known !== undefined && known.heldRaw > 0n) {
      const soldRaw = baseRaw < known.heldRaw ? baseRaw : known.heldRaw;
      known.gotLamports += (quoteRaw * soldRaw) / baseRaw;
      known.heldRaw -= soldRaw;
    }
  }

  /** All returns; the remainder counts at the lamports that `worthOf` gives for it. */
  close(worthOf: (mint: Address, heldRaw: bigint) => bigint): WalletEpisode[] {
    const episodes: WalletEpisode[] = [];
    for (const { wallet, mint, heldRaw, paidLamports, gotLamports } of this.accounts.values()) {
      if (paidLamports < PAID_LEAST_LAMPORTS) continue;
      const back = gotLamports + (heldRaw > 0n ? worthOf(mint, heldRaw) : 0n);
      episodes.push({ wallet, mint, logReturn: logReturnOf(back, paidLamports) });
    }
    return episodes;
  }
}

function opened(wallet: Address, mint: Address): Account {
  return { wallet, mint, heldRaw: 0n, paidLamports: 0n, gotLamports: 0n };
}

function logReturnOf(back: bigint, paid: bigint): number {
  if (back <= 0n) return -RETURN_MOST;
  return Math.min(RETURN_MOST, Math.max(-RETURN_MOST, Math.log(Number(back) / Number(paid))));
}
