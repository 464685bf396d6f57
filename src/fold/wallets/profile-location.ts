import type { UndoLog } from '../../lib/undo-log.ts';
import { WordList } from '../../lib/word-list.ts';
import { STANDING } from './features/wallet-row.ts';

/** Flags of a spilled profile that are kept in memory, to avoid fetching the profile. */
export const SPILLED_BOT = 1;
export const SPILLED_OTHER_ACTIVITY = 2;

/** Words from here on are the flags of a spilled profile; no table has as many rows. */
const SPILLED_FROM = 2 ** 32 - 4;

/** The flags of a spilled profile, from the `standing` field of its row. */
export function spilledMark(standing: number): number {
  return (
    ((standing & STANDING.bot) === 0 ? 0 : SPILLED_BOT) |
    ((standing & STANDING.otherActivity) === 0 ? 0 : SPILLED_OTHER_ACTIVITY)
  );
}

/**
 * Whether the profile of each wallet is in memory, and in which row, or spilled: four bytes per
 * wallet id.
 */
export class ProfileLocations {
  /** By wallet: the row plus one, or SPILLED_FROM plus the flags; 0 without a profile. */
  private readonly words: WordList;

  constructor(undo: UndoLog) {
    this.words = new WordList(undo);
  }

  get allocatedBytes(): number {
    return this.words.allocatedBytes;
  }

  /** The row of a profile in memory, -1 for any other wallet. */
  rowOf(wallet: number): number {
    const word = this.words.get(wallet);
    return word < SPILLED_FROM ? word - 1 : -1;
  }

  isSpilled(wallet: number): boolean {
    return this.words.get(wallet) >= SPILLED_FROM;
  }

  /** The flags of a spilled profile, 0 for any other wallet. */
  markOf(wallet: number): number {
    return Math.max(0, this.words.get(wallet) - SPILLED_FROM);
  }

  setRow(wallet: number, row: number): void {
    this.words.set(wallet, row + 1);
  }

  setSpilled(wallet: number, mark: number): void {
    this.words.set(wallet, SPILLED_FROM + mark);
  }

  /** Calls `visit` for each profile in memory of the wallets below `end`, in ascending order. */
  forEachRow(end: number, visit: (wallet: number, row: number) => void): void {
    for (let wallet = 0; wallet < end; wallet++) {
      const row = this.rowOf(wallet);
      if (row !== -1) visit(wallet, row);
    }
  }
}
