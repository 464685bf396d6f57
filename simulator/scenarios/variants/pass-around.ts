import type { Address } from '../../../src/model/units.ts';
import type { Market } from '../../venues/market.ts';
import { paymentFor } from '../amounts.ts';
import type { Crew } from '../crew.ts';
import { CREW_PRIORITY, spendable } from '../crew-purchases.ts';
import { drawTip, heldOf, partOf, purchaseOrder, saleOrder, varied } from '../orders.ts';
import { pause, type Script } from '../script.ts';
import { firstSlotOf, land, lastSlotOf, type Outcome } from '../sending.ts';

export interface PassPlan {
  readonly mint: Address;
  readonly lamports: bigint;
  readonly passes: number;
  /** The wallet that buys next, not the holder; null if there is none. */
  readonly next: (holder: Address | null, cost: bigint) => Address | null;
  /** The pool of the next purchase or sale; null if none is open. */
  readonly market: () => Script<Market | null>;
  /** Time between a purchase and the sale it covers, and between two passes. */
  readonly handOverMs: { readonly least: number; readonly most: number };
  readonly gapMs: { readonly least: number; readonly most: number };
  /** By how much a purchase differs from what is sold, at most. */
  readonly amountJitter: number;
}

/** A position goes from wallet to wallet: the next one buys, then the holder sells as much. */
export function* passAround(crew: Crew, plan: PassPlan): Script {
  const { context } = crew;
  const { world, random } = context;
  const outcomes: Outcome[] = [];
  const note = (outcome: Outcome): void => {
    const isFirst = firstSlotOf(outcomes) === null;
    outcomes.push(outcome);
    const slot = firstSlotOf([outcome]);
    if (isFirst && slot !== null) crew.begin(plan.mint, slot);
  };
  const trade = (trader: Address, market: Market) => ({
    ...{ trader, market, priority: CREW_PRIORITY },
    tipLamports: crew.knobs.tipStyle === 'none' ? 0n : drawTip(random),
  });
  let holder = plan.next(null, plan.lamports);
  const first = yield* plan.market();
  if (holder === null || first === null) return;
  const opening = varied(random, plan.lamports, crew.knobs.sizeJitter);
  note(yield* land(world, purchaseOrder(context, { ...trade(holder, first), lamports: opening })));
  for (let left = plan.passes; left > 0; left--) {
    yield* pause(world, random.within(plan.gapMs));
    const [entry, exit] = [yield* plan.market(), yield* plan.market()];
    if (entry === null || exit === null) break;
    const heldRaw = heldOf(context, holder, plan.mint);
    const wantedRaw = partOf(heldRaw, 1 + random.between(-plan.amountJitter, plan.amountJitter));
    const cost = paymentFor(world.chain.ledger, entry, wantedRaw);
    const next: Address | null = cost === null ? null : plan.next(holder, cost);
    if (cost === null || next === null || heldRaw === 0n) break;
    note(yield* land(world, purchaseOrder(context, { ...trade(next, entry), lamports: cost })));
    yield* pause(world, random.within(plan.handOverMs));
    note(yield* land(world, saleOrder(context, { ...trade(holder, exit), share: 1 })));
    holder = next;
  }
  const last = yield* plan.market();
  if (last !== null && heldOf(context, holder, plan.mint) > 0n) {
    note(yield* land(world, saleOrder(context, { ...trade(holder, last), share: 1 })));
  }
  crew.end(lastSlotOf(outcomes) ?? world.slot);
}

/** Picks any wallet other than the holder that can pay. */
export function anyWallet(crew: Crew, wallets: readonly Address[]): PassPlan['next'] {
  return (holder, cost) => {
    const free = wallets.filter((wallet) => wallet !== holder && spendable(crew, wallet) >= cost);
    return free.length === 0 ? null : crew.context.random.pick(free);
  };
}

/** Picks the next wallet that can pay and was not picked before. */
export function eachOnce(crew: Crew, wallets: readonly Address[]): PassPlan['next'] {
  const unused = [...wallets];
  return (_, cost) => {
    for (let wallet = unused.shift(); wallet !== undefined; wallet = unused.shift()) {
      if (spendable(crew, wallet) >= cost) return wallet;
    }
    return null;
  };
}
