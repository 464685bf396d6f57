import type { MarketFact } from '../../simulator/chain/market-fact.ts';
import { WRAPPED_SOL } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';

/** What a wallet got out of one mint that it began to buy in a stretch of time. */
export interface WalletEpisode {
  readonly wallet: Address;
  readonly mint: Address;
  /** Natural logarithm of what came back over what was paid, within ± 3. */
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
/** Purchases below this say nothing. */
const PAID_LEAST_LAMPORTS = 10_000_000n;

/**
 * Returns by wallet and mint from what the venues themselves say they traded, in lamports: no word of
 * the engine, its prices or its books. What was bought before is not sold here.
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

  /** All of them; what is left counts as the lamports that `worthOf` says one would get for it. */
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
