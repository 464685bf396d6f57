import { IdRows } from '../../../lib/id-rows.ts';
import { PairIndex } from '../../../lib/pair-index.ts';
import { RowTable } from '../../../lib/row-table.ts';
import { UndoLog } from '../../../lib/undo-log.ts';
import { FRAUD_TYPES, type FraudType } from '../../../model/fraud.ts';
import { asSlot, type Slot } from '../../../model/units.ts';
import { REASON, TOKEN_BOT_LAYOUT } from './token-bot-row.ts';

const F = TOKEN_BOT_LAYOUT.fields;
const CONFIDENCE_SCALE = 10_000;
const U16_MAX = 0xffff;

/** A purchase at most two slots after the launch, by another than the creator. */
export interface SniperVerdict {
  readonly sinceSlot: Slot;
  readonly delaySlots: number;
}

/** Membership in a swarm of single-use wallets that send the same kind of transaction. */
export interface SwarmVerdict {
  readonly sinceSlot: Slot;
  /** Wallets of the swarm when this one was added. */
  readonly wallets: number;
  /** Established traders then, and those of them that used the same skeleton. */
  readonly others: number;
  readonly users: number;
}

/** A leading role in a finding that stands. */
export interface CoordinationVerdict {
  readonly sinceSlot: Slot;
  readonly fraudType: FraudType;
  readonly confidence: number;
}

/** What makes a wallet a bot in one mint, whatever it is elsewhere. Null for what does not hold. */
export interface TokenBot {
  /** Address ids. */
  readonly mint: number;
  readonly wallet: number;
  readonly sniper: SniperVerdict | null;
  readonly swarm: SwarmVerdict | null;
  readonly coordination: CoordinationVerdict | null;
}

/**
 * Wallets that are bots in the pools of one mint only (METHODS §2.1, §13.1), 44 bytes for each.
 * A row remains when its reasons are withdrawn.
 */
export class TokenBots {
  private readonly rows: RowTable;
  /** Keys: address ids of mint and wallet. */
  private readonly index: PairIndex;
  /** By wallet: row of its most recent mint. */
  private readonly newest: IdRows;

  constructor(undo = new UndoLog()) {
    this.rows = new RowTable(TOKEN_BOT_LAYOUT, undo, 'bots of tokens');
    this.index = new PairIndex(undo, 'bots of tokens by mint and wallet');
    this.newest = new IdRows(undo, 'bots of tokens by wallet');
  }

  /** Whether anything makes the wallet a bot in the mint. */
  has(mint: number, wallet: number): boolean {
    const row = this.index.get(mint, wallet);
    return row !== -1 && this.rows.number(row, F.reasons) !== 0;
  }

  /** Records a launch sniper; a later call for the pair changes nothing. */
  setSniper(mint: number, wallet: number, { sinceSlot, delaySlots }: SniperVerdict): void {
    const row = this.rowOf(mint, wallet);
    if (this.holds(row, REASON.sniper)) return;
    this.rows.setNumber(row, F.sniperSlot, sinceSlot);
    this.rows.setNumber(row, F.sniperDelay, delaySlots);
    this.setReason(row, REASON.sniper, true);
  }

  /** Records a member of a swarm; a later call for the pair changes nothing. */
  setSwarm(mint: number, wallet: number, verdict: SwarmVerdict): void {
    const row = this.rowOf(mint, wallet);
    if (this.holds(row, REASON.swarm)) return;
    this.rows.setNumber(row, F.swarmSlot, verdict.sinceSlot);
    this.rows.setNumber(row, F.swarmWallets, Math.min(verdict.wallets, U16_MAX));
    this.rows.setNumber(row, F.swarmOthers, verdict.others);
    this.rows.setNumber(row, F.swarmUsers, verdict.users);
    this.setReason(row, REASON.swarm, true);
  }

  /**
   * Records the strongest finding that names the wallet, or null when none stands any more. The slot
   * is kept while a finding stands.
   */
  setCoordination(mint: number, wallet: number, verdict: CoordinationVerdict | null): void {
    if (verdict === null) {
      const known = this.index.get(mint, wallet);
      if (known !== -1) this.setReason(known, REASON.coordination, false);
      return;
    }
    const row = this.rowOf(mint, wallet);
    if (!this.holds(row, REASON.coordination)) {
      this.rows.setNumber(row, F.coordinationSlot, verdict.sinceSlot);
    }
    this.rows.setNumber(row, F.fraudType, FRAUD_TYPES.indexOf(verdict.fraudType));
    const confidence = Math.round(verdict.confidence * CONFIDENCE_SCALE);
    this.rows.setNumber(row, F.confidence, confidence);
    this.setReason(row, REASON.coordination, true);
  }

  /** Wallets of a mint with a finding that stands, in ascending order. */
  coordinatedIn(mint: number): number[] {
    const wallets: number[] = [];
    this.index.forEachOf(mint, (wallet, row) => {
      if (this.holds(row, REASON.coordination)) wallets.push(wallet);
    });
    return wallets.sort((one, other) => one - other);
  }

  /** What makes the wallet a bot in the mint; null if nothing does, and for ids of -1. */
  find(mint: number, wallet: number): TokenBot | null {
    const row = wallet === -1 ? -1 : this.index.get(mint, wallet);
    return row === -1 ? null : this.read(row);
  }

  /** The mints in which a wallet is a bot, most recent first. */
  *ofWallet(wallet: number): Generator<TokenBot> {
    let row = this.newest.get(wallet);
    while (row !== -1) {
      const found = this.read(row);
      if (found !== null) yield found;
      row = this.rows.number(row, F.older) - 1;
    }
  }

  /** Number of pairs that ever were recorded. */
  get size(): number {
    return this.rows.size;
  }

  private rowOf(mint: number, wallet: number): number {
    const known = this.index.get(mint, wallet);
    if (known !== -1) return known;
    const row = this.rows.add();
    this.rows.setNumber(row, F.mint, mint);
    this.rows.setNumber(row, F.wallet, wallet);
    this.rows.setNumber(row, F.older, this.newest.get(wallet) + 1);
    this.index.set(mint, wallet, row);
    this.newest.set(wallet, row);
    return row;
  }

  private holds(row: number, reason: number): boolean {
    return (this.rows.number(row, F.reasons) & reason) !== 0;
  }

  private setReason(row: number, reason: number, isSet: boolean): void {
    const reasons = this.rows.number(row, F.reasons);
    const next = isSet ? reasons | reason : reasons & ~reason;
    if (next !== reasons) this.rows.setNumber(row, F.reasons, next);
  }

  private read(row: number): TokenBot | null {
    const { rows } = this;
    if (rows.number(row, F.reasons) === 0) return null;
    return {
      mint: rows.number(row, F.mint),
      wallet: rows.number(row, F.wallet),
      sniper: this.holds(row, REASON.sniper)
        ? {
            sinceSlot: asSlot(rows.number(row, F.sniperSlot)),
            delaySlots: rows.number(row, F.sniperDelay),
          }
        : null,
      swarm: this.holds(row, REASON.swarm)
        ? {
            sinceSlot: asSlot(rows.number(row, F.swarmSlot)),
            wallets: rows.number(row, F.swarmWallets),
            others: rows.number(row, F.swarmOthers),
            users: rows.number(row, F.swarmUsers),
          }
        : null,
      coordination: this.holds(row, REASON.coordination)
        ? {
            sinceSlot: asSlot(rows.number(row, F.coordinationSlot)),
            fraudType: FRAUD_TYPES[rows.number(row, F.fraudType)] as FraudType,
            confidence: rows.number(row, F.confidence) / CONFIDENCE_SCALE,
          }
        : null,
    };
  }
}
