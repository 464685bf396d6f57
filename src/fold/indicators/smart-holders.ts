import type { AddressIds } from '../../lib/address-ids.ts';
import { IdRows } from '../../lib/id-rows.ts';
import { PairIndex } from '../../lib/pair-index.ts';
import { rowLayout } from '../../lib/row-layout.ts';
import { RowTable } from '../../lib/row-table.ts';
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

/** A smart wallet that holds a mint, in a list of those of the mint. */
export const SMART_HOLDING_LAYOUT = rowLayout({
  /** An integer. */
  termE9: 'f64',
  wallet: 'u32',
  /** Rows of the neighbours in the list plus one, 0 for none. */
  newer: 'u32',
  older: 'u32',
});
const FIELD = SMART_HOLDING_LAYOUT.fields;

/**
 * The smart wallets that hold each mint, each with a term for the invested amount: s · ln(1 +
 * C/100), where s is the score divided by 100 and C the cost in dollars (METHODS §2.2). Terms are
 * integers in units of 10^-9, so their sum does not depend on the order. A holding takes 24 bytes
 * and its index entry.
 *
 * Which of them count is decided at each reading, because other events can change it: a payment to
 * the mint's creator, or a supply increase that makes a holding dust.
 */
export class SmartHolderBook {
  private readonly ids: AddressIds<Address>;
  private readonly rows: RowTable;
  /** Keys: mint and wallet. */
  private readonly index: PairIndex;
  /** By mint: the row of its newest holding. */
  private readonly newest: IdRows;

  /** `ids` writes to the same `undo`; others may use it too. */
  constructor(ids: AddressIds<Address>, undo = new UndoLog()) {
    this.ids = ids;
    this.rows = new RowTable(SMART_HOLDING_LAYOUT, undo, 'smart holdings');
    this.index = new PairIndex(undo, 'smart holdings by mint and wallet');
    this.newest = new IdRows(undo, 'newest smart holdings of mints');
  }

  /** Sets a holding; null if the wallet is no longer smart or no longer holds the mint. */
  set(mint: Address, wallet: Address, holding: SmartHolding | null): void {
    if (holding === null) {
      this.remove(this.ids.find(mint), this.ids.find(wallet));
      return;
    }
    const [mintId, walletId] = [this.ids.idOf(mint), this.ids.idOf(wallet)];
    const known = this.index.get(mintId, walletId);
    const row = known === -1 ? this.add(mintId, walletId) : known;
    const term = termE9(holding);
    if (term !== this.rows.number(row, FIELD.termE9)) {
      this.rows.setNumber(row, FIELD.termE9, term);
    }
  }

  /** Linear in the smart wallets of the mint, which are few regardless of the holder count. */
  holders(mint: Address, isCounted: (wallet: Address) => boolean): SmartHolders {
    let wallets = 0;
    // An integer below 2^53, even for a hundred thousand holders of a billion dollars each.
    let sumE9 = 0;
    let row = this.newest.get(this.ids.find(mint));
    for (; row !== -1; row = this.rows.number(row, FIELD.older) - 1) {
      if (!isCounted(this.ids.addressOf(this.rows.number(row, FIELD.wallet)))) continue;
      wallets++;
      sumE9 += this.rows.number(row, FIELD.termE9);
    }
    return { wallets, rawScore: sumE9 / 1e9 };
  }

  /** Number of holdings. */
  get size(): number {
    return this.rows.size;
  }

  private add(mint: number, wallet: number): number {
    const { rows } = this;
    const row = rows.add();
    const older = this.newest.get(mint);
    rows.setNumber(row, FIELD.wallet, wallet);
    rows.setNumber(row, FIELD.older, older + 1);
    if (older !== -1) rows.setNumber(older, FIELD.newer, row + 1);
    this.newest.set(mint, row);
    this.index.set(mint, wallet, row);
    return row;
  }

  /** `mint` and `wallet` are -1 for addresses that no book knows. */
  private remove(mint: number, wallet: number): void {
    const { rows } = this;
    const row = mint === -1 || wallet === -1 ? -1 : this.index.get(mint, wallet);
    if (row === -1) return;
    const newer = rows.number(row, FIELD.newer) - 1;
    const older = rows.number(row, FIELD.older) - 1;
    if (older !== -1) rows.setNumber(older, FIELD.newer, newer + 1);
    if (newer !== -1) rows.setNumber(newer, FIELD.older, older + 1);
    else if (older === -1) this.newest.delete(mint);
    else this.newest.set(mint, older);
    this.index.delete(mint, wallet);
    rows.remove(row);
  }
}

/** 0 to 100, saturating: five holders with score 70 and a thousand dollars each give 65. */
export function smartMoneyScore(rawScore: number): number {
  return 100 * (1 - Math.exp(-rawScore / SATURATION));
}

const SATURATION = 8;

function termE9({ score, costUsd }: SmartHolding): number {
  const costInHundreds = Number(costUsd) / 100e9;
  return Math.round((score / 100) * Math.log1p(Math.max(costInHundreds, 0)) * 1e9);
}
