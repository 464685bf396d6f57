import type { AddressIds } from '../../lib/address-ids.ts';
import { PairIndex } from '../../lib/pair-index.ts';
import { rowLayout } from '../../lib/row-layout.ts';
import { RowTable } from '../../lib/row-table.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import type { Address } from '../../model/units.ts';
import { PRIVATE_PROGRAM_USERS_MAX } from './features/wallet-thresholds.ts';

const TRADES_MAX = 0xffff_ffff;

/** The wallets that traded through a program that the project does not decode. */
const PROGRAM_LAYOUT = rowLayout({
  /** Address ids of the wallets, and the trades of each. */
  wallets: ['u32', PRIVATE_PROGRAM_USERS_MAX],
  trades: ['u32', PRIVATE_PROGRAM_USERS_MAX],
  users: 'u8',
  /** 1 for a program with too many users, whose wallets are not stored. */
  isPublic: 'u8',
});
const FIELD = PROGRAM_LAYOUT.fields;

/** Trades of a wallet that no longer count as through a private program. */
export interface ReleasedTrades {
  readonly wallet: number;
  readonly trades: number;
}

export interface ProgramUsersOptions {
  /** Address ids, shared with the other books. */
  readonly ids: AddressIds<Address>;
  /** Programs that the project decodes; they are never private. */
  readonly knownPrograms: ReadonlySet<Address>;
}

/**
 * Detects private outer programs: those that at most 20 wallets have traded through. The trades of
 * these wallets are counted exactly, so they can be released when one more wallet makes the
 * program public. A program takes 164 bytes; deployment costs SOL, so an attacker cannot fill the
 * table.
 */
export class ProgramUsers {
  private readonly ids: AddressIds<Address>;
  private readonly rows: RowTable;
  /** Keys: 0 and the address id of a program. */
  private readonly index: PairIndex;
  private readonly knownPrograms: ReadonlySet<Address>;

  constructor({ ids, knownPrograms }: ProgramUsersOptions, undo = new UndoLog()) {
    this.ids = ids;
    this.knownPrograms = knownPrograms;
    this.rows = new RowTable(PROGRAM_LAYOUT, undo, 'programs of traders');
    this.index = new PairIndex(undo, 'programs of traders by address');
  }

  get size(): number {
    return this.rows.size;
  }

  /**
   * Counts a trade through these outer programs. Returns true when one of them is private; the
   * trade is counted for the first such program. When a program becomes public, calls `onReleased`
   * for each of its wallets.
   */
  applyTrade(
    wallet: number,
    programIds: readonly Address[],
    onReleased: (released: ReleasedTrades) => void,
  ): boolean {
    let isCounted = false;
    for (const programId of programIds) {
      if (this.knownPrograms.has(programId)) continue;
      const row = this.rowOf(programId);
      if (this.rows.number(row, FIELD.isPublic) === 1) continue;
      const at = this.userIndex(row, wallet);
      if (at === PRIVATE_PROGRAM_USERS_MAX) {
        this.release(row, onReleased);
        continue;
      }
      if (!isCounted) this.countTrade(row, at);
      isCounted = true;
    }
    return isCounted;
  }

  /** Number of wallets of a private program; null if the program is known, public or never seen. */
  userCount(programId: Address): number | null {
    const id = this.ids.find(programId);
    const row = id === -1 ? -1 : this.index.get(0, id);
    if (row === -1 || this.rows.number(row, FIELD.isPublic) === 1) return null;
    return this.rows.number(row, FIELD.users);
  }

  private rowOf(programId: Address): number {
    const id = this.ids.idOf(programId);
    const known = this.index.get(0, id);
    if (known !== -1) return known;
    const row = this.rows.add();
    this.index.set(0, id, row);
    return row;
  }

  /** The index of a wallet among the users, which is added if there is room. */
  private userIndex(row: number, wallet: number): number {
    const users = this.rows.number(row, FIELD.users);
    for (let at = 0; at < users; at++) {
      if (this.rows.number(row, FIELD.wallets, at) === wallet) return at;
    }
    if (users < PRIVATE_PROGRAM_USERS_MAX) {
      this.rows.setNumber(row, FIELD.wallets, wallet, users);
      this.rows.setNumber(row, FIELD.users, users + 1);
    }
    return users;
  }

  private countTrade(row: number, at: number): void {
    const trades = this.rows.number(row, FIELD.trades, at);
    if (trades < TRADES_MAX) this.rows.setNumber(row, FIELD.trades, trades + 1, at);
  }

  /** Makes a program public. */
  private release(row: number, onReleased: (released: ReleasedTrades) => void): void {
    this.rows.setNumber(row, FIELD.isPublic, 1);
    const users = this.rows.number(row, FIELD.users);
    this.rows.setNumber(row, FIELD.users, 0);
    for (let at = 0; at < users; at++) {
      const wallet = this.rows.number(row, FIELD.wallets, at);
      const trades = this.rows.number(row, FIELD.trades, at);
      this.rows.setNumber(row, FIELD.wallets, 0, at);
      this.rows.setNumber(row, FIELD.trades, 0, at);
      if (trades > 0) onReleased({ wallet, trades });
    }
  }
}
