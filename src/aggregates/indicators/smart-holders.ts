import { UndoLog } from '../../lib/undo-log.ts';
import type { Address, UsdNano } from '../../model/units.ts';

/** A smart wallet that holds a mint. */
export interface SmartHolding {
  /** 0 to 100. */
  readonly score: number;
  /** Cost of what it holds. */
  readonly costUsd: UsdNano;
}

/** The smart holders of one mint, and their terms added up. */
export interface SmartHolders {
  readonly termsE9: Map<Address, number>;
  /** Whole and below 2^53: a sum over a hundred thousand holders of a billion dollars each. */
  sumE9: number;
}

/**
 * The smart wallets that hold each mint, and how much of their money is in it: the sum over them of
 * s · ln(1 + C/100), s being the score over 100 and C the cost in dollars (METHODS §2.2). Terms are
 * kept in whole 10^-9, so that the sum is what it would be if it were made anew.
 */
export class SmartHolderBook {
  private readonly mints = new Map<Address, SmartHolders>();
  private readonly undo: UndoLog;

  constructor(undo = new UndoLog()) {
    this.undo = undo;
  }

  /** Null once the wallet is not smart any more, or does not hold enough to be a holder. */
  set(mint: Address, wallet: Address, holding: SmartHolding | null): void {
    const holders = this.mints.get(mint) ?? (holding === null ? null : this.open(mint));
    if (holders === null) return;
    const before = holders.termsE9.get(wallet);
    const after = holding === null ? undefined : termE9(holding);
    if (before === after) return;
    this.undo.keep(holders);
    holders.sumE9 += (after ?? 0) - (before ?? 0);
    this.undo.map(holders.termsE9, wallet);
    if (after === undefined) holders.termsE9.delete(wallet);
    else holders.termsE9.set(wallet, after);
    if (holders.termsE9.size > 0) return;
    this.undo.map(this.mints, mint);
    this.mints.delete(mint);
  }

  count(mint: Address): number {
    return this.mints.get(mint)?.termsE9.size ?? 0;
  }

  /** The sum over the mint's smart holders. */
  rawScore(mint: Address): number {
    return (this.mints.get(mint)?.sumE9 ?? 0) / 1e9;
  }

  *digestRows(): Iterable<string> {
    for (const mint of [...this.mints.keys()].sort()) {
      const terms = [...(this.mints.get(mint)?.termsE9 ?? [])];
      yield* terms.map(([wallet, term]) => `smart holder ${mint} ${wallet} ${term}`).sort();
    }
  }

  private open(mint: Address): SmartHolders {
    const holders: SmartHolders = { termsE9: new Map(), sumE9: 0 };
    this.undo.map(this.mints, mint);
    this.mints.set(mint, holders);
    return holders;
  }
}

/** 0 to 100, saturating: five holders of score 70 with a thousand dollars each make 65. */
export function smartMoneyScore(rawScore: number): number {
  return 100 * (1 - Math.exp(-rawScore / SATURATION));
}

const SATURATION = 8;

function termE9({ score, costUsd }: SmartHolding): number {
  const costInHundreds = Number(costUsd) / 100e9;
  return Math.round((score / 100) * Math.log1p(Math.max(costInHundreds, 0)) * 1e9);
}
