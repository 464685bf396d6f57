import type { Classification } from '../model/fraud.ts';
import type { Address } from '../model/units.ts';
import type {
  ClassificationQuery,
  MintsClassificationQuery,
  StoredClassifications,
} from '../store/reads/classifications.ts';
import type { UnwrittenRows } from './unwritten-rows.ts';

type Stored = Pick<StoredClassifications, 'ofMint' | 'ofMints' | 'find'>;

/**
 * Classifications up to the newest slot: stored ones merged with unwritten changes. Changes of
 * reverted slots are in neither.
 */
export class CurrentClassifications {
  private readonly stored: Stored;
  private readonly unwritten: UnwrittenRows;

  constructor(stored: Stored, unwritten: UnwrittenRows) {
    this.stored = stored;
    this.unwritten = unwritten;
  }

  /** The newest version of each classification of a mint, by ID. */
  async ofMint(query: ClassificationQuery): Promise<readonly Classification[]> {
    const { mint, confidenceMin, asOfSlot } = query;
    const recent = this.unwritten
      .classifications(mint)
      .filter(({ slot }) => asOfSlot === null || slot <= asOfSlot);
    return newestOf(await this.stored.ofMint(query), recent, confidenceMin);
  }

  /** As `ofMint` at the newest slot, for several mints in their order. */
  async ofMints(query: MintsClassificationQuery): Promise<readonly (readonly Classification[])[]> {
    const { mints, confidenceMin } = query;
    const recent = mints.map((mint) => this.unwritten.classifications(mint));
    const stored = new Map<Address, Classification[]>();
    for (const one of await this.stored.ofMints(query)) {
      const ofMint = stored.get(one.finding.mint);
      if (ofMint === undefined) stored.set(one.finding.mint, [one]);
      else ofMint.push(one);
    }
    return mints.map((mint, index) =>
      newestOf(stored.get(mint) ?? [], recent[index] ?? [], confidenceMin),
    );
  }

  /** The newest version; null if there is none with this ID. */
  async find(id: string): Promise<Classification | null> {
    return this.unwritten.classification(id) ?? (await this.stored.find(id));
  }
}

/** The newest version of each classification, by ID. */
function newestOf(
  stored: readonly Classification[],
  recent: readonly Classification[],
  confidenceMin: number,
): readonly Classification[] {
  const newest = new Map<string, Classification>();
  for (const one of [...stored, ...recent]) {
    // Rows written since `recent` was read may be newer.
    const known = newest.get(one.id);
    if (known === undefined || known.slot <= one.slot) newest.set(one.id, one);
  }
  return [...newest.values()]
    .filter(({ finding }) => finding.confidence >= confidenceMin)
    .sort((one, other) => (one.id < other.id ? -1 : 1));
}
