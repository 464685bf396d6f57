import type { Address } from '../../src/model/units.ts';
import type { Crew } from './crew.ts';
import { passOnOrder, paymentOrder, tokenOrder } from './orders.ts';
import { pause, type Script, together } from './script.ts';
import { land } from './sending.ts';

/** A wallet with less is not worth a transfer. */
const WORTH_SWEEPING_LAMPORTS = 3_000_000n;
/** Lamports left in a wallet to keep it usable. */
const LEFT_BEHIND_LAMPORTS = 1_500_000n;
/** Share of the giver's balance that goes to decoys. */
const DECOY_SHARE = { least: 0.002, most: 0.01 } as const;
const DECOYS_PER_TRANSACTION = 4;

/**
 * Sends what is left in wallets to a collector, by default a new one, each at an individual time.
 */
export function* sweep(
  crew: Crew,
  wallets: readonly Address[],
  collector: Address = crew.context.world.keyring.wallet(),
): Script {
  if (!crew.knobs.sweepsProceeds) return;
  yield* together(wallets.map((wallet) => sweepOne(crew, wallet, collector)));
}

function* sweepOne(crew: Crew, wallet: Address, collector: Address): Script {
  const { world, random } = crew.context;
  yield* pause(world, random.exponential(crew.knobs.sweepDelayMs));
  const { lamports } = world.chain.ledger.get(wallet);
  if (lamports < WORTH_SWEEPING_LAMPORTS) return;
  const payment = { wallet: collector, lamports: lamports - LEFT_BEHIND_LAMPORTS };
  const order = random.chance(0.5)
    ? paymentOrder(crew.context, wallet, [payment])
    : passOnOrder(wallet, [payment]);
  const outcome = yield* land(world, order);
  if (outcome !== null && !outcome.isFailed) crew.cast(collector, 'destination');
}

/** Gives decoys a little of the token, which they keep. The giver pays for their accounts. */
export function* spreadDecoys(crew: Crew, giver: Address, mint: Address): Script {
  const { context, knobs } = crew;
  const { random, world } = context;
  for (let left = knobs.decoyWallets; left > 0; left -= DECOYS_PER_TRANSACTION) {
    const decoys = Array.from({ length: Math.min(left, DECOYS_PER_TRANSACTION) }, () => ({
      wallet: world.keyring.wallet(),
      share: random.within(DECOY_SHARE),
    }));
    const outcome = yield* land(world, tokenOrder(context, giver, mint, decoys));
    if (outcome === null || outcome.isFailed) return;
    for (const { wallet } of decoys) crew.cast(wallet, 'unknown');
    yield* pause(world, random.exponential(2_000));
  }
}
