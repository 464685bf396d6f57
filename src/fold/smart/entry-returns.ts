import { IdRows } from '../../lib/id-rows.ts';
import { rowLayout } from '../../lib/row-layout.ts';
import { RowTable } from '../../lib/row-table.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import type { Address } from '../../model/units.ts';
import { ENTRY_CELLS } from './entry-cell.ts';

/** An ended episode, as a member of its cell and hour. */
export interface EntryReturn {
  readonly mint: Address;
  /** Of `entryCellOf`. */
  readonly entryCell: number;
  readonly startMs: number;
  readonly closedMs: number;
  /** Natural logarithm within ± 3. */
  readonly episodeReturn: number;
}

/** Mean return of a cell, and what to add to it for the hour. */
export interface ExpectedReturn {
  readonly ofCell: number;
  readonly ofHour: number;
}

const HOUR_MS = 3_600_000;
/** Hours of two months; a position that was open for longer is compared without its hour. */
const HOURS = 60 * 24;
/** An episode of this age counts half in its cell. */
const HALF_LIFE_MS = 30 * 86_400_000;
/** Number of prior episodes: of a cell with the mean of all, and of all with 0. */
const PRIOR_EPISODES = 20;
/** Number of mints with which an hour counts half. */
const PRIOR_MINTS = 20;
/** Each mint of an hour sets one of so many bits. */
const MINT_BITS = 64;
const WORD_BITS = 32;
/** Number of the sums over all cells, behind the cells, and of the first hour. */
const OVERALL = ENTRY_CELLS;
const FIRST_HOUR = ENTRY_CELLS + 1;

const LAYOUT = rowLayout({
  count: 'f64',
  sum: 'f64',
  /** Time of the last episode of a cell; for an hour, its number since 1970. */
  at: 'f64',
  mintBits: ['u32', MINT_BITS / WORD_BITS],
});
const FIELD = LAYOUT.fields;

/**
 * What a purchase without skill returns: the mean return of the ended episodes of all people that
 * began at the same age and market cap of the token, corrected by how the purchases of the same
 * hour turned out. Only episodes that ended earlier count.
 *
 * An hour counts by its number of mints, because in an hour with one launch everybody bought that
 * launch, and picking it may be the skill. Means are drawn towards those of the more general group
 * while there are few episodes. Takes some 60 KiB.
 */
export class EntryReturns {
  private readonly rows: RowTable;
  private readonly index: IdRows;

  constructor(undo = new UndoLog()) {
    this.rows = new RowTable(LAYOUT, undo, 'returns of entries');
    this.index = new IdRows(undo, 'returns of entries by cell');
  }

  /** What similar purchases return; the expected return is the sum. */
  expected({ entryCell, startMs }: Pick<EntryReturn, 'entryCell' | 'startMs'>): ExpectedReturn {
    return { ofCell: this.cellMean(entryCell), ofHour: this.hourDeviation(startMs) };
  }

  /** Adds an episode, with what was expected of it. */
  add(episode: EntryReturn, { ofCell }: ExpectedReturn): void {
    this.addToCell(episode.entryCell, episode);
    this.addToCell(OVERALL, episode);
    this.addToHour(episode, episode.episodeReturn - ofCell);
  }

  private cellMean(cell: number): number {
    return this.meanOf(cell, this.meanOf(OVERALL, 0));
  }

  private meanOf(number: number, priorMean: number): number {
    const row = this.index.get(number);
    if (row === -1) return priorMean;
    const count = this.rows.number(row, FIELD.count) + PRIOR_EPISODES;
    return (this.rows.number(row, FIELD.sum) + PRIOR_EPISODES * priorMean) / count;
  }

  private hourDeviation(startMs: number): number {
    const hour = Math.floor(startMs / HOUR_MS);
    const row = this.index.get(FIRST_HOUR + (hour % HOURS));
    if (row === -1 || this.rows.number(row, FIELD.at) !== hour) return 0;
    const mints = this.mintsOf(row);
    const mean = this.rows.number(row, FIELD.sum) / this.rows.number(row, FIELD.count);
    return (mean * mints) / (mints + PRIOR_MINTS);
  }

  private addToCell(number: number, { closedMs, episodeReturn }: EntryReturn): void {
    const row = this.open(number);
    const lastMs = this.rows.number(row, FIELD.at);
    const weight = lastMs === 0 ? 1 : 0.5 ** (Math.max(0, closedMs - lastMs) / HALF_LIFE_MS);
    this.rows.setNumber(row, FIELD.count, this.rows.number(row, FIELD.count) * weight + 1);
    this.rows.setNumber(row, FIELD.sum, this.rows.number(row, FIELD.sum) * weight + episodeReturn);
    this.rows.setNumber(row, FIELD.at, Math.max(lastMs, closedMs));
  }

  private addToHour({ mint, startMs }: EntryReturn, deviation: number): void {
    const hour = Math.floor(startMs / HOUR_MS);
    const row = this.open(FIRST_HOUR + (hour % HOURS));
    const known = this.rows.number(row, FIELD.at);
    // The hour's sums were given up for a later one.
    if (known > hour) return;
    if (known < hour) this.begin(row, hour);
    this.rows.setNumber(row, FIELD.count, this.rows.number(row, FIELD.count) + 1);
    this.rows.setNumber(row, FIELD.sum, this.rows.number(row, FIELD.sum) + deviation);
    const bit = bitOf(mint);
    const word = Math.floor(bit / WORD_BITS);
    const bits = this.rows.number(row, FIELD.mintBits, word) | (1 << (bit % WORD_BITS));
    this.rows.setNumber(row, FIELD.mintBits, bits >>> 0, word);
  }

  private begin(row: number, hour: number): void {
    this.rows.setNumber(row, FIELD.at, hour);
    this.rows.setNumber(row, FIELD.count, 0);
    this.rows.setNumber(row, FIELD.sum, 0);
    for (let word = 0; word < FIELD.mintBits.length; word++) {
      this.rows.setNumber(row, FIELD.mintBits, 0, word);
    }
  }

  /** Distinct mints by linear counting; with all bits set, as if one were clear. */
  private mintsOf(row: number): number {
    let clear = MINT_BITS;
    for (let word = 0; word < FIELD.mintBits.length; word++) {
      for (let bits = this.rows.number(row, FIELD.mintBits, word); bits !== 0; bits >>>= 1) {
        clear -= bits & 1;
      }
    }
    return MINT_BITS * Math.log(MINT_BITS / Math.max(1, clear));
  }

  private open(number: number): number {
    const known = this.index.get(number);
    if (known !== -1) return known;
    const row = this.rows.add();
    this.index.set(number, row);
    return row;
  }
}

/** FNV-1a over the characters of the address. */
function bitOf(mint: Address): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < mint.length; at++) hash = Math.imul(hash ^ mint.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 16)) & (MINT_BITS - 1);
}
