import { TERMINAL_OF_FEE_ACCOUNT } from '../../../src/model/terminal-accounts.ts';
import { asAddress } from '../../../src/model/units.ts';
import type { Difficulty } from '../../truth/labels.ts';
import { costsFromStart, tokensOfShare } from '../amounts.ts';
import { payOrdinaryCreator } from '../audience.ts';
import { type BenignGroup, drawAmounts, drawSol, payStrangers } from '../benign-group.ts';
import { Crew } from '../crew.ts';
import { SLOT_MS, splitUnevenly } from '../crew-purchases.ts';
import { fundCrew, withdraw } from '../funding.ts';
import type { AttackKnobs } from '../knobs.ts';
import { TRADE_COST_LAMPORTS } from '../orders.ts';
import { sweep } from '../proceeds.ts';
import type { ScenarioContext } from '../scenario.ts';
import { pause, type Script, together } from '../script.ts';
import { land, lastSlotOf } from '../sending.ts';
import { launchStaged, openMarket, planScenarioLaunch } from '../staged-token.ts';
import { terminalOrder } from '../terminal-order.ts';

const SPREAD_SLOTS = 40;
const RELAY_LAMPORTS = 3_000_000_000n;
const PAYER_EXTRA_LAMPORTS = 200_000_000n;
const STRANGERS = { least: 8, more: 10 } as const;

/** Hops between the payer and the wallets, and the part of these that exchanges pay. */
const MONEY: Readonly<Record<Difficulty, { readonly hops: number; readonly hubShare: number }>> = {
  easy: { hops: 0, hubShare: 0 },
  medium: { hops: 2, hubShare: 0 },
  hard: { hops: 3, hubShare: 0.5 },
};

/** One owner's wallets buy a launch through a terminal, over 40 slots. */
export function* terminalSpread(context: ScenarioContext, drawn: AttackKnobs): Script {
  const { hops, hubShare } = MONEY[drawn.difficulty];
  yield* buyThroughTerminal(context, {
    ...drawn,
    wallets: Math.max(drawn.wallets, 6),
    ...{ fundingHops: hops, hubShare, slotSpread: SPREAD_SLOTS, tipStyle: 'each' },
  });
}

function* buyThroughTerminal(context: ScenarioContext, knobs: AttackKnobs): Script {
  const { world, random } = context;
  const crew = new Crew(context, 'traditional_bundle', knobs);
  const plan = planScenarioLaunch(context, yield* payOrdinaryCreator(context));
  const wallets = crew.recruit(knobs.wallets, 'bundler');
  const tokens = tokensOfShare(knobs.supplyShare);
  const parts = splitUnevenly(random, tokens, wallets.length, knobs.sizeJitter);
  const costs = costsFromStart(parts);
  const payments = wallets.map((wallet, index) => ({
    wallet,
    lamports: ((costs[index] ?? 0n) * 11n) / 10n + 3n * TRADE_COST_LAMPORTS,
  }));
  const terminal = yield* openTerminal(context);
  // The creator has no part in it: who pays is the attacker.
  const payer = crew.open('attacker');
  const total = payments.reduce((sum, { lamports }) => sum + lamports, PAYER_EXTRA_LAMPORTS);
  yield* withdraw(context, payer, total * 2n);
  yield* fundCrew(crew, payments, plan.mint, payer);
  yield* pause(world, knobs.buyDelayMs);
  const launched = yield* launchStaged(context, { plan, quality: random.between(0.2, 0.6) });
  if (launched === null) return;
  crew.begin(plan.mint, launched.token.launchSlot);
  const outcomes = wallets.map(() => launched.token.launchSlot);
  yield* together(
    wallets.map(function* (trader, index) {
      yield* pause(world, random.between(3, SPREAD_SLOTS) * SLOT_MS);
      const lamports = costs[index] ?? 0n;
      const order = terminalOrder(context, plan.curve, { trader, lamports, ...terminal });
      const landed = yield* land(world, order);
      outcomes[index] = lastSlotOf([landed]) ?? launched.token.launchSlot;
    }),
  );
  crew.end(Math.max(...outcomes));
  yield* sweep(crew, wallets);
}

/** A relay with lamports for fees, and the account that a terminal is paid into. */
function* openTerminal(context: ScenarioContext) {
  const relay = context.world.keyring.wallet();
  yield* withdraw(context, relay, RELAY_LAMPORTS);
  const feeAccount = asAddress(context.random.pick([...TERMINAL_OF_FEE_ACCOUNT.keys()]));
  return { relay, feeAccount };
}

/** Users of the same terminal, who do so as well and withdrew from exchanges. */
export function* usersOfTerminal(context: ScenarioContext, group: BenignGroup): Script {
  const { world, random } = context;
  const count = random.count(STRANGERS);
  const wallets = group.openSeveral(count, 'organic', 'terminal user');
  const sizeOf = drawAmounts(wallets, () => drawSol(context, 0.2, 1.5));
  const terminal = yield* openTerminal(context);
  yield* payStrangers(context, wallets, (wallet) => sizeOf(wallet) * 2n, 90_000);
  const plan = planScenarioLaunch(context, yield* payOrdinaryCreator(context));
  const launched = yield* launchStaged(context, { plan, quality: 0.4 });
  if (launched === null) return;
  group.begin(plan.mint, launched.token.launchSlot, { count });
  yield* together(
    wallets.map(function* (trader) {
      yield* pause(world, random.between(3, SPREAD_SLOTS) * SLOT_MS);
      const market = yield* openMarket(context, plan.mint);
      if (market === null) return;
      const lamports = sizeOf(trader);
      yield* land(world, terminalOrder(context, market, { trader, lamports, ...terminal }));
    }),
  );
  group.end();
}
