import { AddressIds } from '../lib/address-ids.ts';
import { rowLayout } from '../lib/row-layout.ts';
import { RowTable } from '../lib/row-table.ts';
import type { UndoLog } from '../lib/undo-log.ts';
import { UUID } from '../lib/uuid.ts';
import { WordList } from '../lib/word-list.ts';
import type { ClassificationState } from '../model/fraud.ts';
import { isPublished, type ReviewStatus, riskScoreOf, statusOf } from '../model/fraud-review.ts';
import type { RiskFinding } from '../model/market-rows.ts';
import type { Address } from '../model/units.ts';

const ID_BYTES = 16;
/** `next`: the next finding of the mint, its row plus one; 0 for none. */
const LAYOUT = rowLayout({ confidence: 'f64', id: ['u8', ID_BYTES], next: 'u32', state: 'u8' });
const { fields } = LAYOUT;
const STATES: readonly ClassificationState[] = ['candidate', 'active', 'archived'];

/**
 * Findings by mint, for the risk scores of many mints. Changes are recorded in `undo`, but for the
 * ids of addresses.
 */
export class RiskFindings {
  private readonly reviewOf: (id: string) => ReviewStatus | null;
  private readonly ids: AddressIds<Address>;
  private readonly rows: RowTable;
  /** By id of a mint: its first finding, the row plus one. */
  private readonly first: WordList;

  /** `reviewOf` is the status that a user gave a finding; null for none. */
  constructor(
    undo: UndoLog,
    reviewOf: (id: string) => ReviewStatus | null,
    ids: AddressIds<Address> = new AddressIds(),
  ) {
    this.reviewOf = reviewOf;
    this.ids = ids;
    this.rows = new RowTable(LAYOUT, undo, 'market findings') as RowTable;
    this.first = new WordList(undo, 'market findings by mint');
  }

  get allocatedBytes(): number {
    return this.rows.allocatedBytes + this.first.allocatedBytes;
  }

  /**
   * Adds a finding or its newer version; its mint does not change. Throws RangeError if its id is no
   * UUID.
   */
  put({ id, state, finding: { confidence, mint } }: RiskFinding): void {
    const key = keyOf(id);
    const { rows } = this;
    const mintId = this.ids.idOf(mint);
    let row = this.first.get(mintId) - 1;
    while (row !== -1 && this.idAt(row) !== id) row = this.nextOf(row);
    if (row === -1) {
      row = rows.add();
      rows.setBytes(row, fields.id, key);
      rows.setNumber(row, fields.next, this.first.get(mintId));
      this.first.set(mintId, row + 1);
    }
    rows.setNumber(row, fields.confidence, confidence);
    rows.setNumber(row, fields.state, STATES.indexOf(state));
  }

  /** The highest confidence of a published finding in percent; 0 without one. */
  scoreOf(mint: Address): number {
    return riskScoreOf(this.confidenceOf(mint));
  }

  /** The highest confidence of a published finding; 0 without one. */
  confidenceOf(mint: Address): number {
    const mintId = this.ids.find(mint);
    let highest = 0;
    let row = mintId === -1 ? -1 : this.first.get(mintId) - 1;
    for (; row !== -1; row = this.nextOf(row)) {
      const confidence = this.rows.number(row, fields.confidence);
      const state = STATES[this.rows.number(row, fields.state)] ?? 'candidate';
      const status = statusOf(state, this.reviewOf(this.idAt(row)));
      const classification = { state, finding: { confidence } };
      if (isPublished({ classification, status })) highest = Math.max(highest, confidence);
    }
    return highest;
  }

  private nextOf(row: number): number {
    return this.rows.number(row, fields.next) - 1;
  }

  private idAt(row: number): string {
    const start = this.rows.startOf(row) + fields.id.offset;
    const { buffer, byteOffset } = this.rows.pageOf(row);
    const digits = Buffer.from(buffer, byteOffset + start, ID_BYTES).toString('hex');
    return PARTS.map(([from, to]) => digits.slice(from, to)).join('-');
  }
}

/** The parts of a UUID among its digits. */
const PARTS = [
  [0, 8],
  [8, 12],
  [12, 16],
  [16, 20],
  [20, 32],
] as const;

function keyOf(id: string): Uint8Array {
  if (!UUID.test(id)) throw new RangeError(`${id} is no UUID`);
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}
