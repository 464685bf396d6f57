import { attractionOf, tradingSlotsOf } from './launch-plan.ts';
import type { MarketContext } from './market-context.ts';
import { BOTS, ESTABLISHED_ROWS, FIRST_LAUNCH_ROW, SNIPERS, SOL_ROWS } from './market-options.ts';
import { isCold } from './market-state.ts';
import { mixed } from './random-numbers.ts';

/** Shares of the swaps. The others are on launches. */
const SOL_SHARE = 0.02;
const ESTABLISHED_SHARE = 0.25;
/** Launches that a trader considers before turning to an established mint. */
const LAUNCH_TRIES = 64;
const COLD_TRIES = 8;
/** Launches of about eight seconds. */
const NEWEST = 64;
/** Slots after a launch in which bots buy it. */
const SNIPED_SLOTS = 2;
/** Part of the purchases by known wallets that bots make. */
const BOT_SHARE = 0.4;
/** One wallet of so many comes back after its first position. */
const REGULAR_ONE_OF = 4;
const REGULAR_TRIES = 8;
const RECEIVERS_MAX = 256;
/** How much a lag of new wallets, in wallets, raises the share of new ones. */
const LAG_WEIGHT = 1 / 50;

/** The row of the mint that is traded next. */
export function chooseMint(market: MarketContext): number {
  const { options, state } = market;
  const { random } = state;
  if (options.walletsPerMint !== null) return state.mints.count - 1;
  if (options.coldMintShare > 0 && random.isWithin(options.coldMintShare)) {
    const cold = chooseColdMint(market);
    if (cold !== null) return cold;
  }
  const drawn = random.share();
  if (drawn < SOL_SHARE) return random.below(SOL_ROWS);
  if (drawn < SOL_SHARE + ESTABLISHED_SHARE) return chooseEstablished(market);
  return chooseLaunch(market) ?? chooseEstablished(market);
}

/** The popular ones, which come first, are traded most. */
function chooseEstablished({ state: { random } }: MarketContext): number {
  const drawn = random.share();
  return SOL_ROWS + Math.floor(ESTABLISHED_ROWS * drawn * drawn * drawn);
}

/**
 * A launch that still trades. Each doubling of the age gets as much attention, but the newest
 * launches share theirs evenly: people need some seconds to notice one.
 */
function chooseLaunch(market: MarketContext): number | null {
  const { random, mints, counters } = market.state;
  const launches = mints.count - FIRST_LAUNCH_ROW;
  if (launches === 0) return null;
  for (let tried = 0; tried < LAUNCH_TRIES; tried++) {
    const row = mints.count - chooseAge(market, launches);
    if (!random.isWithin(attractionOf(row))) continue;
    const ageSlots = counters.slots - (mints.bornSlot[row] as number);
    if (ageSlots <= tradingSlotsOf(row)) return row;
  }
  return null;
}

/** Launches since and including the chosen one. */
function chooseAge({ state: { random } }: MarketContext, launches: number): number {
  const age = random.log(launches);
  return age < NEWEST ? 1 + random.below(Math.min(NEWEST, launches)) : age;
}

/** A launch that was not traded for an hour, whether it still trades or not. */
function chooseColdMint({ state }: MarketContext): number | null {
  const { random, mints } = state;
  const launches = mints.count - FIRST_LAUNCH_ROW;
  for (let tried = 0; tried < COLD_TRIES; tried++) {
    const row = FIRST_LAUNCH_ROW + random.below(launches);
    if (row >= mints.count) return null;
    if (isCold(state, row)) return row;
  }
  return null;
}

/** Who buys: a new wallet, so often that `newWalletShare` of the swaps are of new ones, or a known. */
export function chooseBuyer(market: MarketContext, row: number): number {
  const { options, state } = market;
  const { counters, random } = state;
  if (isNewWalletDue(market)) return counters.wallets++;
  const slots = counters.slots - (state.mints.bornSlot[row] as number);
  if (row >= FIRST_LAUNCH_ROW && slots < SNIPED_SLOTS) {
    return random.below(Math.min(SNIPERS, counters.wallets));
  }
  if (options.newWalletShare === 0) return random.below(counters.wallets);
  return chooseKnownWallet(market);
}

/** A bot or a regular; of these, the recent ones more likely. There must be a wallet. */
export function chooseKnownWallet({ state: { counters, random } }: MarketContext): number {
  const { wallets } = counters;
  if (random.isWithin(BOT_SHARE)) {
    const drawn = random.share();
    return Math.floor(Math.min(BOTS, wallets) * drawn * drawn);
  }
  let wallet = 0;
  for (let tried = 0; tried < REGULAR_TRIES; tried++) {
    wallet = wallets - random.log(wallets);
    if (mixed(wallet, 0x4e9) % REGULAR_ONE_OF === 0) break;
  }
  return wallet;
}

/** Purchases are at least half of the swaps, so twice that share of them is enough. */
function isNewWalletDue({ options, state: { counters, random } }: MarketContext): boolean {
  const { newWalletShare, firstWallets } = options;
  const { wallets, swaps } = counters;
  if (newWalletShare >= 1 || wallets === 0 || wallets < firstWallets) return true;
  const known = wallets + receiversOf(wallets);
  const lag = newWalletShare * (swaps + 1) + firstWallets - known;
  return random.isWithin(2 * newWalletShare + lag * LAG_WEIGHT);
}

/**
 * Wallets that only receive tokens and sell them, so far. They are few because it takes some time
 * to find an address that a person can have; the engine checks that for those who do not sign.
 */
export function receiversOf(wallets: number): number {
  return Math.min(RECEIVERS_MAX, Math.ceil(wallets / 100));
}
