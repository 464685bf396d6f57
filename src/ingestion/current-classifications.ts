import type { Classification } from '../model/fraud.ts';
import type { ClassificationQuery, StoredClassifications } from '../store/reads/classifications.ts';
import type { UnwrittenRows } from './unwritten-rows.ts';

/**
 * Classifications up to the newest slot: stored ones merged with unwritten changes. Changes of
 * reverted slots are in neither.
 */
export class CurrentClassifications {
  private readonly stored: Pick<StoredClassifications, 'ofMint' | 'find'>;
  private readonly unwritten: UnwrittenRows;

  constructor(stored: Pick<StoredClassifications, 'ofMint' | 'find'>, unwritten: UnwrittenRows) {
    this.stored = stored;
    this.unwritten = unwritten;
  }

  /** The newest version of each classification of a mint, by ID. */
  async ofMint(query: ClassificationQuery): Promise<readonly Classification[]> {
    const { mint, confidenceMin, asOfSlot } = query;
    const recent = this.unwritten
      .classifications(mint)
      .filter(({ slot }) => asOfSlot === null || slot <= asOfSlot);
    const newest = new Map<string, Classification>();
    for (const one of [...(await this.stored.ofMint(query)), ...recent]) {
      // Rows written since `recent` was read may be newer.
      const known = newest.get(one.id);
      if (known === undefined || known.slot <= one.slot) newest.set(one.id, one);
    }
    return [...newest.values()]
      .filter(({ finding }) => finding.confidence >= confidenceMin)
      .sort((one, other) => (one.id < other.id ? -1 : 1));
  }

  /** The newest version; null if there is none with this ID. */
  async find(id: string): Promise<Classification | null> {
    return this.unwritten.classification(id) ?? (await this.stored.find(id));
  }
}
