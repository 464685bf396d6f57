import { UndoLog } from '../../lib/undo-log.ts';
import type { Address, UsdNano } from '../../model/units.ts';

/** A smart wallet that holds a mint. */
export interface SmartHolding {
  /** 0 to 100. */
  readonly score: number;
  /** Cost of what it holds. */
  readonly costUsd: UsdNano;
}

/** Those of a mint's smart wallets that count. */
export interface SmartHolders {
  readonly wallets: number;
  /** The sum of their terms. */
  readonly rawScore: number;
}

/**
 * The smart wallets that have some of each mint, and how much of their money is in it: for each
 * s · ln(1 + C/100), s being the score over 100 and C the cost in dollars (METHODS §2.2). Terms are
 * kept in whole 10^-9, so that their sum does not depend on their order.
 *
 * Who of them counts is asked at each reading. That may change by what others do: by a payment to the
 * mint's creator, or by a supply of which a holding becomes dust.
 */
export class SmartHolderBook {
  /** By mint and wallet. */
  private readonly termsE9 = new Map<Address, Map<Address, number>>();
  private readonly undo: UndoLog;

  constructor(undo = new UndoLog()) {
    this.undo = undo;
  }

  /** Null once the wallet is not smart any more, or has nothing of the mint. */
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

  /** Looks at each smart wallet that has some of the mint: few, whatever the number of holders. */
  holders(mint: Address, isCounted: (wallet: Address) => boolean): SmartHolders {
    let wallets = 0;
    // Whole and below 2^53: a sum over a hundred thousand holders of a billion dollars each.
    let sumE9 = 0;
    for (const [wallet, term] of this.termsE9.get(mint) ?? NOBODY) {
      if (!isCounted(wallet)) continue;
      wallets++;
      sumE9 += term;
    }
    return { wallets, rawScore: sumE9 / 1e9 };
  }

  *digestRows(): Iterable<string> {
    for (const mint of [...this.termsE9.keys()].sort()) {
      const terms = [...(this.termsE9.get(mint) ?? NOBODY)];
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

const NOBODY: ReadonlyMap<Address, number> = new Map();

/** 0 to 100, saturating: five holders of score 70 with a thousand dollars each make 65. */
export function smartMoneyScore(rawScore: number): number {
  return 100 * (1 - Math.exp(-rawScore / SATURATION));
}

const SATURATION = 8;

function termE9({ score, costUsd }: SmartHolding): number {
  const costInHundreds = Number(costUsd) / 100e9;
  return Math.round((score / 100) * Math.log1p(Math.max(costInHundreds, 0)) * 1e9);
}
