import type { AddressIds } from '../../lib/address-ids.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import type { Address } from '../../model/units.ts';
import { PRIVATE_PROGRAM_USERS_MAX } from './features/wallet-thresholds.ts';

/** Maximum of tracked programs. Deployment costs SOL, so an attacker cannot fill the table. */
const PROGRAMS_MAX = 100_000;

/** The users of a program that the project does not decode. */
export interface ProgramUse {
  /** Trades through the program by wallet; null once it has too many users. */
  users: Map<number, number> | null;
}

/** Trades of a wallet that no longer count as through a private program. */
export interface ReleasedTrades {
  readonly wallet: number;
  readonly trades: number;
}

/**
 * Detects private outer programs: those that at most 20 wallets have traded through. The trades of
 * these wallets are counted exactly, so they can be released when one more wallet makes the
 * program public.
 */
export class ProgramUsers {
  private readonly programs = new Map<Address, ProgramUse>();
  private readonly knownPrograms: ReadonlySet<Address>;
  private readonly undo: UndoLog;

  /** `knownPrograms` are the programs that the project decodes; they are never private. */
  constructor(knownPrograms: ReadonlySet<Address>, undo = new UndoLog()) {
    this.knownPrograms = knownPrograms;
    this.undo = undo;
  }

  get size(): number {
    return this.programs.size;
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

  /** Number of wallets of a private program; null if the program is known, public or never seen. */
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
