import type { Address } from '../../../src/model/units.ts';
import type { Difficulty } from '../../truth/labels.ts';
import { traditionalBundle } from '../attacks/traditional-bundle.ts';
import { payOrdinaryCreator } from '../audience.ts';
import { type BenignGroup, drawSol } from '../benign-group.ts';
import { withdraw } from '../funding.ts';
import type { AttackKnobs } from '../knobs.ts';
import { passOnOrder, purchaseOrder } from '../orders.ts';
import type { ScenarioContext } from '../scenario.ts';
import { pause, type Script, together } from '../script.ts';
import { land, landWithRetries } from '../sending.ts';
import { launchStaged, openMarket, planScenarioLaunch } from '../staged-token.ts';

/** Wallets that are used once between the payer and the crew, and how long each waits. */
const CHAIN: Readonly<Record<Difficulty, { readonly hops: number; readonly waitMs: number }>> = {
  easy: { hops: 2, waitMs: 5_000 },
  medium: { hops: 4, waitMs: 60_000 },
  hard: { hops: 8, waitMs: 120_000 },
};

const STRANGERS = { least: 6, more: 6 } as const;
const STRANGER_HOPS = 3;
const WITHIN_MS = 20_000;
/** Network fees of a wallet that passes everything on. */
const STATION_LAMPORTS = 60_000n;

/**
 * A launch bundle paid by one wallet through chains of fresh wallets, each used once, that wait for
 * minutes.
 */
export function* oneUseChains(context: ScenarioContext, drawn: AttackKnobs): Script {
  const { hops, waitMs } = CHAIN[drawn.difficulty];
  yield* traditionalBundle(context, {
    ...drawn,
    ...{ hubShare: 0, tipStyle: 'each', fundingHops: hops, hopDelayMs: waitMs },
  });
}

/**
 * Strangers who each pass their own withdrawal through such a chain, and buy a launch in its first
 * half minute.
 */
export function* strangersWithChains(context: ScenarioContext, group: BenignGroup): Script {
  const { world, random } = context;
  const count = random.count(STRANGERS);
  const wallets = group.openSeveral(count, 'organic', 'private person');
  yield* together(wallets.map((wallet) => passThroughChain(context, wallet)));
  const plan = planScenarioLaunch(context, yield* payOrdinaryCreator(context));
  const launched = yield* launchStaged(context, { plan, quality: 0.3 });
  if (launched === null) return;
  group.begin(plan.mint, launched.token.launchSlot, { count });
  yield* together(
    wallets.map(function* (trader) {
      yield* pause(world, random.between(0, WITHIN_MS));
      const market = yield* openMarket(context, plan.mint);
      if (market === null) return;
      const lamports = drawSol(context, 0.2, 0.9);
      yield* land(world, purchaseOrder(context, { trader, market, lamports }));
    }),
  );
  group.end();
}

function* passThroughChain(context: ScenarioContext, wallet: Address): Script {
  const { world, random } = context;
  let at = world.keyring.wallet();
  const rest = STATION_LAMPORTS * BigInt(STRANGER_HOPS);
  yield* withdraw(context, at, drawSol(context, 1, 2) + rest);
  for (let hop = 1; hop <= STRANGER_HOPS; hop++) {
    yield* pause(world, random.exponential(30_000));
    const next = hop === STRANGER_HOPS ? wallet : world.keyring.wallet();
    yield* landWithRetries(world, passOnOrder(at, [{ wallet: next, lamports: 0n }]));
    at = next;
  }
}
