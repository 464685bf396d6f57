import type { Classification } from '../model/fraud.ts';
import type { ClassificationQuery, StoredClassifications } from '../store/reads/classifications.ts';
import type { UnwrittenRows } from './unwritten-rows.ts';

/**
 * Classifications up to the newest slot: those in SQL, with what is folded and not written put over
 * them. What only slots said that were taken back is in neither.
 */
export class CurrentClassifications {
  private readonly stored: Pick<StoredClassifications, 'ofMint' | 'find'>;
  private readonly unwritten: UnwrittenRows;

  constructor(stored: Pick<StoredClassifications, 'ofMint' | 'find'>, unwritten: UnwrittenRows) {
    this.stored = stored;
    this.unwritten = unwritten;
  }

  /** The newest version of each of a mint's, by id. */
  async ofMint(query: ClassificationQuery): Promise<readonly Classification[]> {
    const { mint, confidenceMin, asOfSlot } = query;
    const recent = this.unwritten
      .classifications(mint)
      .filter(({ slot }) => asOfSlot === null || slot <= asOfSlot);
    const newest = new Map<string, Classification>();
    for (const one of [...(await this.stored.ofMint(query)), ...recent]) {
      // What was written since `recent` was read may be newer than it.
      const known = newest.get(one.id);
      if (known === undefined || known.slot <= one.slot) newest.set(one.id, one);
    }
    return [...newest.values()]
      .filter(({ finding }) => finding.confidence >= confidenceMin)
      .sort((one, other) => (one.id < other.id ? -1 : 1));
  }

  /** The newest version; null when there is none of this id. */
  async find(id: string): Promise<Classification | null> {
    return this.unwritten.classification(id) ?? (await this.stored.find(id));
  }
}
