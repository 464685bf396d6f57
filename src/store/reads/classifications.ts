import type { Classification } from '../../model/fraud.ts';
import type { Address, Slot } from '../../model/units.ts';
import { decodeClassification } from '../codecs/classification-codec.ts';
import type { Lane } from '../sql/lane.ts';
import type { VisibleEpoch } from '../sql/visible-epoch.ts';

export interface ClassificationQuery {
  readonly mint: Address;
  /** Versions with a lower confidence are omitted. */
  readonly confidenceMin: number;
  /** Only versions up to this slot; null for all. */
  readonly asOfSlot: Slot | null;
}

/** Current and earlier versions of classifications. */
export class StoredClassifications {
  private readonly lane: Lane;
  private readonly visible: VisibleEpoch;

  constructor(lane: Lane, visible: VisibleEpoch) {
    this.lane = lane;
    this.visible = visible;
  }

  /** The newest version of each classification of a mint, by id. */
  async ofMint(query: ClassificationQuery): Promise<readonly Classification[]> {
    const rows = await this.lane.rows<{ record: string }>(
      'SELECT argMax(record, slot) AS record FROM classifications FINAL ' +
        'WHERE epoch = {epoch:UInt32} AND mint = {mint:String} AND slot <= {asOf:UInt64} ' +
        'GROUP BY id HAVING argMax(confidence, slot) >= {least:Float64} ORDER BY id',
      {
        epoch: this.visible.epoch,
        mint: query.mint,
        asOf: query.asOfSlot ?? Number.MAX_SAFE_INTEGER,
        least: query.confidenceMin,
      },
    );
    return rows.map(({ record }) => decodeClassification(record));
  }

  /** The newest version; null for an unknown id. */
  async find(id: string): Promise<Classification | null> {
    const [row] = await this.lane.rows<{ record: string }>(
      'SELECT record FROM newest_classifications FINAL ' +
        'WHERE epoch = {epoch:UInt32} AND id = {id:String}',
      { epoch: this.visible.epoch, id },
    );
    return row === undefined ? null : decodeClassification(row.record);
  }
}
