import { UndoLog } from '../../lib/undo-log.ts';
import type { Address, UsdNano } from '../../model/units.ts';

/** A smart wallet that holds a mint. */
export interface SmartHolding {
  /** 0 to 100. */
  readonly score: number;
  /** Cost of what it holds. */
  readonly costUsd: UsdNano;
}

/** The smart holders of a mint that count. */
export interface SmartHolders {
  readonly wallets: number;
  /** The sum of their terms. */
  readonly rawScore: number;
}

/**
 * The smart wallets that hold each mint, each with a term for the invested amount: s · ln(1 +
 * C/100), where s is the score divided by 100 and C the cost in dollars (METHODS §2.2). Terms are
 * integers in units of 10^-9, so their sum does not depend on the order.
 *
 * Which of them count is decided at each reading, because other events can change it: a payment to
 * the mint's creator, or a supply increase that makes a holding dust.
 */
export class SmartHolderBook {
  /** By mint and wallet. */
  private readonly termsE9 = new Map<Address, Map<Address, number>>();
  private readonly undo: UndoLog;

  constructor(undo = new UndoLog()) {
    this.undo = undo;
  }

  /** Sets a holding; null if the wallet is no longer smart or no longer holds the mint. */
  set(mint: Address, wallet: Address, holding: SmartHolding | null): void {
    const terms = this.termsE9.get(mint) ?? (holding === null ? null : this.open(mint));
    if (terms === null) return;
    const after = holding === null ? undefined : termE9(holding);
    if (terms.get(wallet) === after) return;
    this.undo.map(terms, wallet);
    if (after === undefined) terms.delete(wallet);
    else terms.set(wallet, after);
    if (terms.size > 0) return;
    this.undo.map(this.termsE9, mint);
    this.termsE9.delete(mint);
  }

  /** Linear in the smart wallets of the mint, which are few regardless of the holder count. */
  holders(mint: Address, isCounted: (wallet: Address) => boolean): SmartHolders {
    let wallets = 0;
    // An integer below 2^53, even for a hundred thousand holders of a billion dollars each.
    let sumE9 = 0;
    for (const [wallet, term] of this.termsE9.get(mint) ?? NO_TERMS) {
      if (!isCounted(wallet)) continue;
      wallets++;
      sumE9 += term;
    }
    return { wallets, rawScore: sumE9 / 1e9 };
  }

  *digestRows(): Iterable<string> {
    for (const mint of [...this.termsE9.keys()].sort()) {
      const terms = [...(this.termsE9.get(mint) ?? NO_TERMS)];
      yield* terms.map(([wallet, term]) => `smart holder ${mint} ${wallet} ${term}`).sort();
    }
  }

  private open(mint: Address): Map<Address, number> {
    const terms = new Map<Address, number>();
    this.undo.map(this.termsE9, mint);
    this.termsE9.set(mint, terms);
    return terms;
  }
}

const NO_TERMS: ReadonlyMap<Address, number> = new Map();

/** 0 to 100, saturating: five holders with score 70 and a thousand dollars each give 65. */
export function smartMoneyScore(rawScore: number): number {
  return 100 * (1 - Math.exp(-rawScore / SATURATION));
}

const SATURATION = 8;

function termE9({ score, costUsd }: SmartHolding): number {
  const costInHundreds = Number(costUsd) / 100e9;
  return Math.round((score / 100) * Math.log1p(Math.max(costInHundreds, 0)) * 1e9);
}
