import { byPosition, groupBundles, textOfGroup } from '../model/bundle-groups.ts';
import type { BundleGroup } from '../model/derived.ts';
import { asSlot } from '../model/units.ts';
import type { BundleGroupQuery, StoredBundleGroups } from '../store/reads/bundle-groups.ts';
import type { UnwrittenRows } from './unwritten-rows.ts';

export interface BundleGroupPage {
  readonly groups: readonly BundleGroup[];
  readonly total: number;
}

/**
 * Groups of bundled transactions up to the newest slot. A group may have stored and unwritten
 * members: links that are revealed later add members to it.
 */
export class CurrentBundleGroups {
  private readonly stored: Pick<StoredBundleGroups, 'names' | 'members'>;
  private readonly unwritten: UnwrittenRows;

  constructor(stored: Pick<StoredBundleGroups, 'names' | 'members'>, unwritten: UnwrittenRows) {
    this.stored = stored;
    this.unwritten = unwritten;
  }

  /** One page and the total count. A page past the end has no groups. */
  async page(query: BundleGroupQuery): Promise<BundleGroupPage> {
    const { mint, offset, limit, asOfSlot } = query;
    const { firstSlot } = this.unwritten;
    const recent = this.unwritten
      .bundles(mint)
      .filter(({ foundSlot }) => asOfSlot === null || foundSlot <= asOfSlot);
    const changed = groupBundles(recent).map(({ name }) => name);
    const storedTo =
      firstSlot === null
        ? asOfSlot
        : asSlot(Math.max(0, Math.min(asOfSlot ?? firstSlot - 1, firstSlot - 1)));
    // Stored groups on this page may be shifted by up to as many changed groups as there are.
    const skipped = Math.max(0, offset - changed.length);
    const unchanged = await this.stored.names(
      { ...query, asOfSlot: storedTo, offset: skipped, limit: limit + changed.length },
      changed.map(textOfGroup),
    );
    const sign = query.orderDir === 'asc' ? 1 : -1;
    const start = offset - skipped;
    const names = [...unchanged.names, ...changed]
      .sort((one, other) => sign * (one.slot - other.slot || one.txIndex - other.txIndex))
      .slice(start, start + limit)
      .map(textOfGroup);
    const stored = await this.stored.members({ mint, asOfSlot: storedTo }, names);
    const wanted = new Set(names);
    const shown = recent.filter(({ group }) => wanted.has(textOfGroup(group)));
    const groups = groupBundles([...stored, ...shown]);
    return {
      groups: groups.sort((one, other) => sign * byPosition(one, other)),
      total: unchanged.total + changed.length,
    };
  }
}
