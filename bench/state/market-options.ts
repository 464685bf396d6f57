/** What a market is made of. The same options and seed give the same facts. */
export interface MarketOptions {
  /** A whole number of 32 bits. */
  readonly seed: number;
  /** Mean number of swaps in a slot of 400 ms. Each slot has up to a fifth more or less. */
  readonly swapsPerSlot: number;
  /** Launches per swap. */
  readonly launchShare: number;
  /** New traders per swap. From 1 on every swap is a purchase by a new wallet. */
  readonly newWalletShare: number;
  /** Wallets that start trading before `newWalletShare` counts. */
  readonly firstWallets: number;
  /** Share of the trades beside launches that are on mints launched and not traded for an hour. */
  readonly coldMintShare: number;
  /** Null: mainnet's mix. A number: mints are launched one after another, each for so many swaps. */
  readonly walletsPerMint: number | null;
}

/**
 * Mainnet's mix: 600,000 launches and 10 million wallets in 100 million swaps, and 1,250 swaps a
 * second.
 */
export const MAINNET_MARKET: MarketOptions = {
  seed: 20,
  swapsPerSlot: 500,
  launchShare: 0.006,
  newWalletShare: 0.1,
  firstWallets: 0,
  coldMintShare: 0,
  walletsPerMint: null,
};

/** Each swap is a new wallet's purchase, of mints with 200 wallets each. */
export const NEW_WALLETS_MARKET: MarketOptions = {
  ...MAINNET_MARKET,
  newWalletShare: 1,
  launchShare: 1 / 200,
  walletsPerMint: 200,
};

/**
 * Every second swap is on a mint that was not traded for an hour, once there are enough of them. A mint
 * is cold for one swap an hour at most, so half of the swaps of an hour take as many old mints. With
 * mainnet's launches that is after some 80 hours; with five swaps a second, of which every fourth is
 * a launch and two of three others are on cold mints, after some 100,000 swaps.
 */
export const COLD_MINTS_MARKET: MarketOptions = {
  ...MAINNET_MARKET,
  swapsPerSlot: 2,
  launchShare: 1 / 4,
  coldMintShare: 2 / 3,
};

/** 20,000 wallets trade 300 mints, again and again. */
export const HOT_MARKET: MarketOptions = {
  ...MAINNET_MARKET,
  launchShare: 0,
  newWalletShare: 0,
  firstWallets: 20_000,
};

export const FIRST_SLOT = 400_000_000;
export const START_MS = Date.UTC(2026, 0, 1);
export const SLOT_MS = 400;
export const SLOTS_PER_HOUR = 3_600_000 / SLOT_MS;

/** Rows of the table of mints: first SOL, once per pool against dollars. */
export const SOL_ROWS = 3;
/** Then mints that are older than the history. All later rows are launches. */
export const ESTABLISHED_ROWS = 300;
export const FIRST_LAUNCH_ROW = SOL_ROWS + ESTABLISHED_ROWS;

/** Bots: the first wallets of the market. They make two of five purchases by known wallets. */
export const BOTS = 1_000;
/** The first of them buy launches in their first slots. */
export const SNIPERS = 100;
