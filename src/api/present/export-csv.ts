import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ExportPortion, ExportPosition } from '../../model/export.ts';
import type { SlotGap } from '../../model/slot-range.ts';
import type { Slot } from '../../model/units.ts';

/** A CSV file that is read while it is sent. */
export interface ExportFile {
  /** The echoed parameters of the request. */
  readonly request: Readonly<Record<string, string | null>>;
  readonly columns: readonly string[];
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

/**
 * The lines of the file: names of the columns, rows, and the manifest as a comment. Holds one portion
 * at a time, and reads the next one once the client has taken the last. A read that fails ends the
 * stream without a manifest, so that the client notices.
 */
export function exportStream(file: ExportFile): Readable {
  return Readable.from(chunksOf(file));
}

async function* chunksOf(file: ExportFile): AsyncGenerator<Uint8Array> {
  const digest = createHash('sha256');
  const written = (bytes: Uint8Array) => {
    digest.update(bytes);
    return bytes;
  };
  const totals = new Totals();
  yield written(Buffer.from(`${file.columns.join(',')}\n`));
  let portion = file.first;
  for (;;) {
    totals.add(portion);
    if (portion.lines.length > 0) yield written(portion.lines);
    if (portion.next === null) break;
    portion = await file.portionAfter(portion.next);
  }
  yield Buffer.from(`# ${JSON.stringify(manifestOf(file, totals, digest.digest('hex')))}\n`);
}

class Totals {
  rows = 0;
  firstSlot: number | null = null;
  lastSlot: number | null = null;

  add({ rows, firstSlot, lastSlot }: ExportPortion): void {
    this.rows += rows;
    if (firstSlot === null || lastSlot === null) return;
    this.firstSlot = Math.min(firstSlot, this.firstSlot ?? firstSlot);
    this.lastSlot = Math.max(lastSlot, this.lastSlot ?? lastSlot);
  }
}

function manifestOf(
  { request, slot, gaps }: ExportFile,
  { rows, firstSlot, lastSlot }: Totals,
  sha256: string,
) {
  return {
    ...request,
    as_of_slot: slot,
    rows,
    first_slot: firstSlot,
    last_slot: lastSlot,
    sha256,
    gaps: gaps
      .slice(-GAPS_LISTED_MAX)
      .reverse()
      .map(({ from, to }) => ({ from_slot: from, to_slot: to })),
    gaps_total: gaps.length,
  };
}
