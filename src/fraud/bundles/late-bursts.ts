import type { CaseTrade, MintCase } from '../../model/mint-case.ts';
import { type Address, asSlot, type Slot } from '../../model/units.ts';
import { type PlacedBuy, placedBuys, toGroup } from '../groups/bundle-group.ts';
import { findLinkedCohorts } from '../groups/linked-cohorts.ts';
import type { Clusters } from '../links/clusters.ts';
import { byChainOrder } from '../readings/block-order.ts';
import { within } from '../readings/case-order.ts';
import type { FoundBundle } from './bundle-reading.ts';

/** Maximum number of slots of a burst, and of a burst of linked wallets (METHODS §7.4). */
export const BURST_SLOTS = 2;
export const LINKED_BURST_SLOTS = 10;

/** Buys that were placed together, in one slot or by one cluster. */
interface Seed {
  readonly placed: readonly PlacedBuy[];
  readonly firstSlot: Slot;
  readonly lastSlot: Slot;
  /** Its wallets; a wallet in a cluster is replaced by the root of the cluster. */
  readonly owners: readonly Address[];
}

/**
 * Groups of buys (in block order) within two slots, or within ten if their wallets are linked or
 * the same. A buy is in one burst only. Groups that used only terminals are not bursts, because
 * orders of terminal users execute together at a price. In order of first slot.
 */
export function findBursts(
  mintCase: MintCase,
  buys: readonly CaseTrade[],
  clusters: Clusters,
): FoundBundle[] {
  const bursts: FoundBundle[] = [];
  let open = findSeeds(mintCase, buys, clusters);
  while (open.length > 0) {
    const { joined, left } = joinBurst(open);
    bursts.push(toBurst(mintCase, joined));
    open = left;
  }
  return bursts;
}

function findSeeds(
  mintCase: MintCase,
  buys: readonly CaseTrade[],
  clusters: Clusters,
): readonly Seed[] {
  const linked = findLinkedCohorts(buys, clusters, LINKED_BURST_SLOTS).map((cohort) =>
    cohort.buys.map((buy): PlacedBuy => ({ buy, level: 'L3' })),
  );
  const placed = placedBuys(mintCase, { buys, cohorts: [], clusters });
  const groups = [...Map.groupBy(placed, ({ buy }) => `${buy.slot} ${buy.group?.id}`).values()];
  return [...groups.filter((group) => !isOfTerminals(group)), ...linked]
    .map((group) => toSeed(group, clusters))
    .sort(
      (one, other) => byChainOrder(firstBuy(one), firstBuy(other)) || other.lastSlot - one.lastSlot,
    );
}

/** Joins the earliest seed with all seeds of its burst. */
function joinBurst(seeds: readonly Seed[]) {
  const firstSlot = seeds[0]?.firstSlot ?? 0;
  const owners = new Set<Address>();
  const joined: Seed[] = [];
  const left: Seed[] = [];
  for (const seed of seeds) {
    const isNear = seed.lastSlot < firstSlot + BURST_SLOTS;
    const isLinked =
      seed.lastSlot < firstSlot + LINKED_BURST_SLOTS &&
      seed.owners.some((owner) => owners.has(owner));
    if (joined.length > 0 && !isNear && !isLinked) {
      left.push(seed);
      continue;
    }
    joined.push(seed);
    for (const owner of seed.owners) owners.add(owner);
  }
  return { joined, left };
}

function toBurst({ trades }: MintCase, seeds: readonly Seed[]): FoundBundle {
  const placed = seeds.flatMap((seed) => seed.placed);
  const slots = seeds.flatMap((seed) => [seed.firstSlot, seed.lastSlot]);
  const times = placed.map(({ buy }) => buy.timeMs);
  const [firstSlot, lastSlot] = [Math.min(...slots), Math.max(...slots)];
  const meanwhile = within(trades, Math.min(...times), Math.max(...times)).filter(
    ({ slot }) => slot >= firstSlot && slot <= lastSlot,
  );
  return { placed, group: toGroup(placed, [], meanwhile) };
}

function isOfTerminals(group: readonly PlacedBuy[]): boolean {
  return group.every(({ buy, level }) => level !== 'L1' && buy.isTerminal);
}

function toSeed(placed: readonly PlacedBuy[], clusters: Clusters): Seed {
  const slots = placed.map(({ buy }) => buy.slot);
  return {
    placed,
    firstSlot: asSlot(Math.min(...slots)),
    lastSlot: asSlot(Math.max(...slots)),
    owners: placed.map(({ buy }) => clusters.of(buy.wallet)?.root ?? buy.wallet),
  };
}

function firstBuy({ placed }: Seed): CaseTrade {
  const [first] = placed;
  if (first === undefined) throw new Error('a group without a buy');
  return first.buy;
}
