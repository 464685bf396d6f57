import type { AddressIds } from '../../lib/address-ids.ts';
import { IdRows } from '../../lib/id-rows.ts';
import { PairIndex } from '../../lib/pair-index.ts';
import { RowTable } from '../../lib/row-table.ts';
import { StateValue } from '../../lib/state-value.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import type { Address } from '../../model/units.ts';
import { EntryReturns, type ExpectedReturn } from './entry-returns.ts';
import { exclusionOf, isWin, type JudgedEpisode, returnOf } from './episode.ts';
import { PeerMerits, percentileOf, type Standing } from './peer-merits.ts';
import { ageSums, SMART_LAYOUT, sumsOf } from './smart-row.ts';
import {
  type EpisodeSums,
  type SmartMerit,
  type SmartTerm,
  smartMerit,
  smartTerms,
} from './smart-score.ts';

/** A wallet becomes smart at the first percentile, and stays smart down to the second. */
const SCORE_TO_ENTER = 90;
const SCORE_TO_STAY = 80;
const EPISODES_MIN = 10;
/** Its gains must be twice its losses, both with their prior; the heavy tail of profits is in them. */
const LOG_PROFIT_FACTOR_MIN = Math.log(2);
/** A wallet without an episode for this long is not smart. */
const IDLE_MAX_MS = 30 * 86_400_000;
const EXPIRY_STEP_MS = 3_600_000;
const NANO_PER_DOLLAR = 1e9;

const FIELD = SMART_LAYOUT.fields;

/** Whether a wallet is smart, with the reasons. */
export interface SmartVerdict extends SmartMerit, Standing {
  readonly isSmart: boolean;
  /**
   * Percentile of the merit among people with as many episodes, from 0 to 100, as of the last
   * episode; 0 without a counted one.
   */
  readonly score: number;
  readonly terms: readonly SmartTerm[];
  /** Sums weighted by age, as of the last episode. */
  readonly sums: EpisodeSums;
  /** Number of episodes that are no evidence of skill. */
  readonly excluded: number;
  readonly lastEpisodeMs: number | null;
}

/**
 * Determines which wallets trade well, only from episodes closed so far. A wallet becomes smart
 * with a score of 90 over ten episodes if its gains are twice its losses. It ceases to be smart
 * below 80, when its losses exceed its gains, as a bot, or after 30 days without an episode.
 */
export class SmartBook {
  private readonly undo: UndoLog;
  private readonly ids: AddressIds<Address>;
  private readonly rows: RowTable;
  private readonly index: IdRows;
  private readonly entries: EntryReturns;
  private readonly peers: PeerMerits;
  /** Keys: 0 and the address id of a wallet that is currently smart, a small share of all. */
  private readonly smart: PairIndex;
  private readonly progress: StateValue<{ expiredMs: number }>;
  /** Wallets whose status changed since the last `takeFlips`; empty between slots. */
  private readonly flips = new Set<number>();

  constructor(ids: AddressIds<Address>, undo = new UndoLog()) {
    this.undo = undo;
    this.ids = ids;
    this.rows = new RowTable(SMART_LAYOUT, undo, 'skill of wallets');
    this.index = new IdRows(undo, 'skill of wallets by wallet');
    this.entries = new EntryReturns(undo);
    this.peers = new PeerMerits(undo);
    this.smart = new PairIndex(undo, 'smart wallets');
    this.progress = new StateValue({ expiredMs: 0 }, undo, 'expiry of smart wallets');
  }

  /**
   * Applies the episodes that closed in a slot, whose order does not matter: all are compared with
   * those of earlier slots only, and wallets are judged after all of them.
   */
  applyEpisodes(episodes: readonly JudgedEpisode[]): void {
    const counted: ComparedEpisode[] = [];
    for (const episode of episodes) {
      if (exclusionOf(episode) !== null) {
        this.add(this.rowOf(episode.wallet), FIELD.excluded, 1);
        continue;
      }
      const episodeReturn = returnOf(episode);
      counted.push({ ...episode, episodeReturn, expected: this.entries.expected(episode) });
    }
    const changed = new Set<number>();
    for (const episode of counted) {
      const row = this.rowOf(episode.wallet);
      changed.add(row);
      if (this.rows.number(row, FIELD.isBot) === 0) this.entries.add(episode, episode.expected);
      this.countPeer(row, -1);
      this.addEpisode(row, episode);
      this.countPeer(row, 1);
    }
    for (const row of changed) this.judge(row);
  }

  /** Sets whether a wallet is a bot. A bot is never smart. */
  setBot(wallet: Address, isBot: boolean): void {
    const row = this.find(wallet);
    if (row === -1) {
      if (isBot) this.rows.setNumber(this.rowOf(wallet), FIELD.isBot, 1);
      return;
    }
    this.countPeer(row, -1);
    this.rows.setNumber(row, FIELD.isBot, isBot ? 1 : 0);
    this.countPeer(row, 1);
    this.judge(row);
  }

  /** Removes wallets without an episode for 30 days. Checks once per hour of logical time. */
  expire(timeMs: number): void {
    const progress = this.progress.now;
    if (timeMs < progress.expiredMs + EXPIRY_STEP_MS) return;
    this.undo.keep(progress);
    progress.expiredMs = timeMs;
    for (const row of this.smartRows()) {
      if (timeMs - this.rows.number(row, FIELD.lastMs) > IDLE_MAX_MS) this.setSmart(row, false);
    }
  }

  /** The score divided by 100 of a wallet that is smart at `timeMs`; null for any other. */
  weightOf(wallet: Address, timeMs: number): number | null {
    const row = this.find(wallet);
    if (row === -1 || this.rows.number(row, FIELD.isSmart) === 0) return null;
    if (timeMs - this.rows.number(row, FIELD.lastMs) > IDLE_MAX_MS) return null;
    return this.rows.number(row, FIELD.score) / 100;
  }

  /** Null for a wallet without a closed episode. */
  verdict(wallet: Address): SmartVerdict | null {
    const row = this.find(wallet);
    if (row === -1) return null;
    const sums = sumsOf(this.rows, row);
    const lastMs = this.rows.number(row, FIELD.lastMs);
    const merit = smartMerit(sums);
    return {
      ...merit,
      terms: smartTerms(merit),
      score: this.rows.number(row, FIELD.score),
      peers: this.rows.number(row, FIELD.peers),
      peersBelow: this.rows.number(row, FIELD.peersBelow),
      isSmart: this.rows.number(row, FIELD.isSmart) === 1,
      sums,
      excluded: this.rows.number(row, FIELD.excluded),
      lastEpisodeMs: lastMs === 0 ? null : lastMs,
    };
  }

  /** Wallets whose status changed since the last call, in the order of the changes. */
  takeFlips(): Address[] {
    const wallets = [...this.flips].map((id) => this.ids.addressOf(id));
    this.flips.clear();
    return wallets;
  }

  /** Number of smart wallets. */
  get smartCount(): number {
    return this.smart.size;
  }

  get size(): number {
    return this.rows.size;
  }

  /** Rows of the smart wallets, by address id. */
  private smartRows(): number[] {
    const smart: (readonly [id: number, row: number])[] = [];
    this.smart.forEachOf(0, (id, row) => smart.push([id, row]));
    return smart.sort(([one], [other]) => one - other).map(([, row]) => row);
  }

  private find(wallet: Address): number {
    return this.index.get(this.ids.find(wallet));
  }

  private rowOf(wallet: Address): number {
    const id = this.ids.idOf(wallet);
    const known = this.index.get(id);
    if (known !== -1) return known;
    const row = this.rows.add();
    this.rows.setNumber(row, FIELD.wallet, id);
    this.index.set(id, row);
    return row;
  }

  private add(row: number, field: NumberField, value: number): void {
    this.rows.setNumber(row, field, this.rows.number(row, field) + value);
  }

  private addEpisode(row: number, episode: ComparedEpisode): void {
    const { episodeReturn, expected } = episode;
    const excess = episodeReturn - expected.ofCell - expected.ofHour;
    ageSums(this.rows, row, episode.closedMs);
    const profitUsd =
      Number(episode.proceedsUsd + episode.markUsd - episode.costUsd) / NANO_PER_DOLLAR;
    this.add(row, FIELD.count, 1);
    this.add(row, FIELD.wins, isWin(episodeReturn) ? 1 : 0);
    this.add(row, FIELD.returns, episodeReturn);
    this.add(row, FIELD.excess, excess);
    this.add(row, FIELD.excessSquares, excess * excess);
    this.add(row, profitUsd > 0 ? FIELD.gainsUsd : FIELD.lossesUsd, Math.abs(profitUsd));
    const best = this.rows.number(row, FIELD.bestExcess) * this.rows.number(row, FIELD.bestWeight);
    const isFirst = this.rows.number(row, FIELD.bestWeight) === 0;
    if (!isFirst && excess <= best) return;
    this.rows.setNumber(row, FIELD.bestExcess, excess);
    this.rows.setNumber(row, FIELD.bestWeight, 1);
  }

  /** Adds a person with episodes to those that others are compared with, or removes it. */
  private countPeer(row: number, wallets: 1 | -1): void {
    const sums = sumsOf(this.rows, row);
    if (sums.count === 0 || this.rows.number(row, FIELD.isBot) === 1) return;
    this.peers.add(sums.count, smartMerit(sums).merit, wallets);
  }

  private judge(row: number): void {
    const sums = sumsOf(this.rows, row);
    if (sums.count === 0) return;
    const { merit, logProfitFactor } = smartMerit(sums);
    const standing = this.peers.standing(sums.count, merit);
    const score = percentileOf(merit, standing);
    this.rows.setNumber(row, FIELD.score, score);
    this.rows.setNumber(row, FIELD.peers, standing.peers);
    this.rows.setNumber(row, FIELD.peersBelow, standing.peersBelow);
    const isBot = this.rows.number(row, FIELD.isBot) === 1;
    const isGood =
      this.rows.number(row, FIELD.isSmart) === 1
        ? score >= SCORE_TO_STAY && logProfitFactor > 0
        : sums.count >= EPISODES_MIN &&
          score >= SCORE_TO_ENTER &&
          logProfitFactor >= LOG_PROFIT_FACTOR_MIN;
    this.setSmart(row, !isBot && isGood);
  }

  private setSmart(row: number, isSmart: boolean): void {
    if ((this.rows.number(row, FIELD.isSmart) === 1) === isSmart) return;
    const id = this.rows.number(row, FIELD.wallet);
    this.rows.setNumber(row, FIELD.isSmart, isSmart ? 1 : 0);
    if (isSmart) this.smart.set(0, id, row);
    else this.smart.delete(0, id);
    // Two changes within a slot cancel each other.
    if (!this.flips.delete(id)) this.flips.add(id);
  }
}

interface ComparedEpisode extends JudgedEpisode {
  readonly episodeReturn: number;
  readonly expected: ExpectedReturn;
}

type NumberField = (typeof FIELD)[keyof typeof FIELD];
