import type { AddressIds } from '../../lib/address-ids.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import type { Address } from '../../model/units.ts';
import { PRIVATE_PROGRAM_USERS_MAX } from './features/wallet-thresholds.ts';

/** Programs that are followed. Deploying one costs SOL, so nobody makes as many to hide among. */
const PROGRAMS_MAX = 100_000;

/** Who uses a program that is not known to the project. */
export interface ProgramUse {
  /** Trades of each wallet that are counted as through it; null once it has too many users. */
  users: Map<number, number> | null;
}

/** Trades of a wallet that no longer count as through a private program. */
export interface ReleasedTrades {
  readonly wallet: number;
  readonly trades: number;
}

/**
 * Which outer programs are somebody's own: those that at most 20 wallets have traded through. The
 * wallets of such a program are counted exactly, so that one of them more takes back what was held
 * against the others.
 */
export class ProgramUsers {
  private readonly programs = new Map<Address, ProgramUse>();
  private readonly knownPrograms: ReadonlySet<Address>;
  private readonly undo: UndoLog;

  /** `knownPrograms` are everybody's: those that the project decodes. */
  constructor(knownPrograms: ReadonlySet<Address>, undo = new UndoLog()) {
    this.knownPrograms = knownPrograms;
    this.undo = undo;
  }

  get size(): number {
    return this.programs.size;
  }

  /**
   * Notes a trade through these outer programs. True when one of them is private; the trade is then
   * counted to the first that is. Calls `onReleased` for each wallet of a program that is no longer.
   */
  applyTrade(
    wallet: number,
    programIds: readonly Address[],
    onReleased: (released: ReleasedTrades) => void,
  ): boolean {
    let isCounted = false;
    for (const programId of programIds) {
      if (this.knownPrograms.has(programId)) continue;
      const use = this.useOf(programId);
      if (use === null || use.users === null) continue;
      if (use.users.size === PRIVATE_PROGRAM_USERS_MAX && !use.users.has(wallet)) {
        this.release(use, use.users, onReleased);
        continue;
      }
      this.undo.map(use.users, wallet);
      use.users.set(wallet, (use.users.get(wallet) ?? 0) + (isCounted ? 0 : 1));
      isCounted = true;
    }
    return isCounted;
  }

  /** Wallets that a private program has, null for one that is known, public or never seen. */
  userCount(programId: Address): number | null {
    return this.programs.get(programId)?.users?.size ?? null;
  }

  *digestRows(ids: AddressIds<Address>): Iterable<string> {
    for (const programId of [...this.programs.keys()].sort()) {
      const users = this.programs.get(programId)?.users ?? null;
      const trades = [...(users ?? [])].map(([id, count]) => `${ids.addressOf(id)} ${count}`);
      yield `program ${programId} ${users === null ? 'public' : trades.sort().join(' ')}`;
    }
  }

  private useOf(programId: Address): ProgramUse | null {
    const known = this.programs.get(programId);
    if (known !== undefined) return known;
    if (this.programs.size >= PROGRAMS_MAX) return null;
    const use: ProgramUse = { users: new Map() };
    this.undo.map(this.programs, programId);
    this.programs.set(programId, use);
    return use;
  }

  private release(
    use: ProgramUse,
    users: ReadonlyMap<number, number>,
    onReleased: (released: ReleasedTrades) => void,
  ): void {
    this.undo.keep(use);
    use.users = null;
    for (const [wallet, trades] of users) if (trades > 0) onReleased({ wallet, trades });
  }
}
