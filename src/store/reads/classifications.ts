import type { Classification } from '../../model/fraud.ts';
import type { Address, Slot } from '../../model/units.ts';
import { EpochReads } from '../sql/epoch-reads.ts';
import type { Lane } from '../sql/lane.ts';
import { IS_VISIBLE, type VisibleEpoch } from '../sql/visible-epoch.ts';
import { classificationTable, newestClassificationTable } from '../tables/classification-tables.ts';

export interface ClassificationQuery {
  readonly mint: Address;
  /** Versions with a lower confidence are omitted. */
  readonly confidenceMin: number;
  /** Only versions up to this slot; null for all. */
  readonly asOfSlot: Slot | null;
}

export interface MintsClassificationQuery {
  readonly mints: readonly Address[];
  /** Versions with a lower confidence are omitted. */
  readonly confidenceMin: number;
}

/** Current and earlier versions of classifications. */
export class StoredClassifications {
  private readonly reads: EpochReads;

  constructor(lane: Lane, visible: VisibleEpoch) {
    this.reads = new EpochReads(lane, visible);
  }

  /** The newest version of each classification of a mint, by id. */
  ofMint({
    mint,
    confidenceMin,
    asOfSlot,
  }: ClassificationQuery): Promise<readonly Classification[]> {
    return this.reads.all(
      'SELECT argMax(record, slot) AS record FROM classifications FINAL ' +
        `WHERE ${IS_VISIBLE} AND mint = {mint:String} AND slot <= {asOf:UInt64} ` +
        'GROUP BY id HAVING argMax(confidence, slot) >= {least:Float64} ORDER BY id',
      classificationTable.read,
      { mint, asOf: asOfSlot ?? Number.MAX_SAFE_INTEGER, least: confidenceMin },
    );
  }

  /** The newest version of each classification of several mints, by id. */
  ofMints({ mints, confidenceMin }: MintsClassificationQuery): Promise<readonly Classification[]> {
    // One text: the engines do not agree on that of an array, and a parameter for each mint takes
    // as long as the rest of the query.
    return this.reads.all(
      'SELECT argMax(record, slot) AS record FROM classifications FINAL ' +
        `WHERE ${IS_VISIBLE} AND mint IN splitByChar(' ', {mints:String}) ` +
        'GROUP BY id HAVING argMax(confidence, slot) >= {least:Float64} ORDER BY id',
      classificationTable.read,
      { mints: mints.join(' '), least: confidenceMin },
    );
  }

  /** The newest version; null for an unknown id. */
  find(id: string): Promise<Classification | null> {
    return this.reads.first(
      'SELECT record FROM newest_classifications FINAL ' +
        `WHERE ${IS_VISIBLE} AND id = {id:String}`,
      newestClassificationTable.read,
      { id },
    );
  }
}
