import type { Address } from '../../src/model/units.ts';
import type { ComputeBudget } from '../chain/run-transaction.ts';
import type { PlannedLaunch } from '../venues/launchpad.ts';
import type { Market } from '../venues/market.ts';
import type { Landing, Order, SentOrder } from './order.ts';
import { buySteps } from './trade-steps.ts';
import type { World } from './world.ts';

export interface LaunchOptions {
  readonly priority?: number;
  readonly computeBudget?: ComputeBudget | null;
  readonly version?: 'legacy' | 0;
  /** Amount the creator buys for in the creation transaction; default none. */
  readonly creatorBuyLamports?: bigint;
  /** Sends the migration once the curve is complete; default the creator. */
  readonly keeper?: Address;
  /** The markets people trade on, if not the curve and the pool directly. */
  readonly markets?: { readonly curve: Market; readonly pool: Market };
  readonly onLanded?: (landing: Landing) => void;
  readonly onDropped?: () => void;
  /** Sent in one bundle with the creation, after it. */
  readonly bundledWith?: readonly Order[];
}

/** A token whose creation has been sent. */
export interface LaunchedToken {
  readonly launch: PlannedLaunch;
  readonly mint: Address;
  /** The creation; other orders can be placed directly after it. */
  readonly order: SentOrder;
  readonly sentAtMs: number;
}

/** Delay until a keeper notices a complete curve, and its number of attempts. */
const KEEPER_DELAY_MS = { least: 400, most: 4_000 } as const;
const KEEPER_TRIES = 5;
const KEEPER_UNITS = { unitLimit: 400_000, priceMicroLamports: 50_000n } as const;
const CREATION_UNITS = { unitLimit: 350_000, priceMicroLamports: 100_000n } as const;
const PURCHASE_UNITS = { unitLimit: 400_000, priceMicroLamports: 100_000n } as const;

/**
 * Sends the creation of a planned token and registers its curve and the pool of its migration. When
 * the curve is complete, the keeper sends the migration.
 */
export function launchToken(
  world: World,
  plan: PlannedLaunch,
  creator: Address,
  options: LaunchOptions = {},
): LaunchedToken {
  const { creatorBuyLamports = 0n, keeper = creator, computeBudget = CREATION_UNITS } = options;
  const { mint } = plan;
  const { curve, pool: migratedPool } = options.markets ?? {
    curve: plan.curve,
    pool: plan.migratedPool,
  };
  world.readToken(mint, plan.text);
  world.addMarket(curve);
  world.addMarket(migratedPool);
  world.watch(curve.pool, (fact) => {
    if (fact.kind === 'curveComplete') keepMigrating(world, plan, keeper, KEEPER_TRIES);
  });
  const purchase = creatorPurchase(world, curve, creator, creatorBuyLamports);
  const isBought = creatorBuyLamports > 0n;
  // A route through two pools does not fit into one packet with a creation.
  const isBoughtAtOnce = isBought && options.markets === undefined;
  const creation: Order = {
    feePayer: creator,
    signers: plan.createSigners,
    computeBudget,
    // A classic creation with a purchase is too long for a legacy message.
    version: options.version ?? 0,
    priority: options.priority ?? 0,
    build(execution) {
      plan.create(execution);
      if (isBoughtAtOnce) purchase.build(execution);
    },
    ...(options.onLanded === undefined ? {} : { onLanded: options.onLanded }),
    ...(options.onDropped === undefined ? {} : { onDropped: options.onDropped }),
  };
  const purchases = isBought && !isBoughtAtOnce ? [purchase] : [];
  const order = world.sendBundle([creation, ...purchases, ...(options.bundledWith ?? [])]);
  return { launch: plan, mint, order, sentAtMs: world.nowMs };
}

function creatorPurchase(
  { tokenAccounts }: World,
  market: Market,
  trader: Address,
  amountInRaw: bigint,
): Order {
  return {
    feePayer: trader,
    computeBudget: PURCHASE_UNITS,
    version: 0,
    build: (execution) =>
      buySteps(execution, tokenAccounts, { market, trader, amountInRaw, minOutRaw: 0n }),
  };
}

function keepMigrating(world: World, plan: PlannedLaunch, keeper: Address, tries: number): void {
  if (tries === 0) return;
  const again = (): void => keepMigrating(world, plan, keeper, tries - 1);
  const random = world.random.fork(`migration/${plan.mint}/${tries}`);
  world.after(random.wholeWithin(KEEPER_DELAY_MS), () => {
    if (plan.migratedPool.isOpen(world.chain.ledger)) return;
    world.send({
      feePayer: keeper,
      computeBudget: KEEPER_UNITS,
      priority: 100_000,
      build: (execution) => plan.migrate(execution, keeper),
      onLanded: ({ isFailed }) => {
        if (isFailed) again();
      },
      onDropped: again,
    });
  });
}
