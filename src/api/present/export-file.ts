import type { ExportPortion, ExportPosition } from '../../model/export.ts';
import type { SlotGap } from '../../model/slot-range.ts';
import type { Slot } from '../../model/units.ts';

/** A file that is read while it is sent. */
export interface ExportFile {
  /** The echoed parameters of the request. */
  readonly request: Readonly<Record<string, string | null>>;
  readonly columns: readonly string[];
  /** A Parquet file without rows; null for CSV. */
  readonly empty: Uint8Array | null;
  /** Null before the first stored slot. */
  readonly slot: Slot | null;
  /** The gaps that may touch the rows, ascending. */
  readonly gaps: readonly SlotGap[];
  readonly first: ExportPortion;
  /** The portion after a position. */
  readonly portionAfter: (position: ExportPosition) => Promise<ExportPortion>;
}

/** Gaps that a manifest lists, newest first; `gaps_total` counts all of them. */
const GAPS_LISTED_MAX = 1_000;

/** The portions of a file, each read once the one before it was taken, and what they are in total. */
export class ExportRows {
  private readonly file: ExportFile;
  private rows = 0;
  private firstSlot: number | null = null;
  private lastSlot: number | null = null;

  constructor(file: ExportFile) {
    this.file = file;
  }

  /** The bytes of each portion that has rows. */
  async *portions(): AsyncGenerator<Uint8Array> {
    let portion = this.file.first;
    for (;;) {
      this.add(portion);
      if (portion.rows > 0) yield portion.bytes;
      if (portion.next === null) return;
      portion = await this.file.portionAfter(portion.next);
    }
  }

  /** What the file says of itself, once all portions were taken. `sha256` is that of their bytes. */
  manifest(sha256: string): string {
    const { request, slot, gaps } = this.file;
    return JSON.stringify({
      ...request,
      as_of_slot: slot,
      rows: this.rows,
      first_slot: this.firstSlot,
      last_slot: this.lastSlot,
      sha256,
      gaps: gaps
        .slice(-GAPS_LISTED_MAX)
        .reverse()
        .map(({ from, to }) => ({ from_slot: from, to_slot: to })),
      gaps_total: gaps.length,
    });
  }

  private add({ rows, firstSlot, lastSlot }: ExportPortion): void {
    this.rows += rows;
    if (firstSlot === null || lastSlot === null) return;
    this.firstSlot = Math.min(firstSlot, this.firstSlot ?? firstSlot);
    this.lastSlot = Math.max(lastSlot, this.lastSlot ?? lastSlot);
  }
}
