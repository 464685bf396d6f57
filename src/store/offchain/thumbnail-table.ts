import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { THUMBNAIL_SIDES, type Thumbnails } from '../../model/thumbnail.ts';
import { bytes, column, integer, nullable, text } from '../sqlite/kind.ts';
import { type Prepared, prepareAll } from '../sqlite/prepare-all.ts';
import { rowsOf, singleValue, tableRow } from '../sqlite/table-row.ts';

/** The thumbnails of pictures with the same bytes. */
export const THUMBNAILS = tableRow('thumbnails', {
  contentHash: text,
  hash: text,
  madeAtMs: integer,
  sizeBytes: integer,
  side64: column('side64', bytes),
  side128: column('side128', bytes),
  side256: column('side256', bytes),
});

/** Maximum size of all thumbnails; those of 60,000 ordinary pictures. */
const TOTAL_MAX_BYTES = 1_073_741_824;
/** What is left when the oldest are removed, so that this is seldom. */
const KEPT_SHARE = 0.95;
const REMOVED_AT_ONCE = 100;
/** As much of a SHA-256 tells any two pictures of one token apart. */
const HASH_DIGITS = 16;

const STATEMENTS = {
  has: singleValue(integer, 'SELECT 1 FROM thumbnails WHERE content_hash = ?'),
  put: THUMBNAILS.insertOrReplace(),
  total: singleValue(nullable(integer), 'SELECT sum(size_bytes) FROM thumbnails'),
  oldest: rowsOf(
    { rowid: integer, sizeBytes: integer },
    'SELECT rowid, size_bytes FROM thumbnails ORDER BY made_at_ms LIMIT ?',
  ),
  remove: 'DELETE FROM thumbnails WHERE rowid = ?',
};

/** Stores thumbnails; above their maximum size, the oldest are removed. */
export class ThumbnailTable {
  private readonly statements: Prepared<typeof STATEMENTS>;
  private readonly totalMaxBytes: number;
  /** At least the size of all: replaced and reverted ones count until the oldest are removed. */
  private totalBytes: number;

  constructor(database: DatabaseSync, totalMaxBytes: number = TOTAL_MAX_BYTES) {
    this.statements = prepareAll(database, STATEMENTS);
    this.totalMaxBytes = totalMaxBytes;
    this.totalBytes = this.statements.total.get() ?? 0;
  }

  has(contentHash: string): boolean {
    return this.statements.has.get(contentHash) !== null;
  }

  put(contentHash: string, thumbnails: Thumbnails, nowMs: number): void {
    const sizes = THUMBNAIL_SIDES.map((side) => thumbnails[side].length);
    const sizeBytes = sizes.reduce((total, size) => total + size, 0);
    this.statements.put.run({
      contentHash,
      hash: createHash('sha256').update(thumbnails[256]).digest('hex').slice(0, HASH_DIGITS),
      madeAtMs: nowMs,
      sizeBytes,
      side64: thumbnails[64],
      side128: thumbnails[128],
      side256: thumbnails[256],
    });
    this.totalBytes += sizeBytes;
    if (this.totalBytes > this.totalMaxBytes) this.removeOldest();
  }

  private removeOldest(): void {
    this.totalBytes = this.statements.total.get() ?? 0;
    if (this.totalBytes <= this.totalMaxBytes) return;
    while (this.totalBytes > this.totalMaxBytes * KEPT_SHARE) {
      for (const { rowid, sizeBytes } of this.statements.oldest.all(REMOVED_AT_ONCE)) {
        if (this.totalBytes <= this.totalMaxBytes * KEPT_SHARE) return;
        this.statements.remove.run(rowid);
        this.totalBytes -= sizeBytes;
      }
    }
  }
}
