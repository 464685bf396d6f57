import type { Random } from '../random/random.ts';
import type { Difficulty, FraudType } from '../truth/labels.ts';

/**
 * How related purchases reach the chain. `shared`: bundles of up to five transactions with one Jito
 * tip each. `multi_signer`: two or three owners buy in one transaction. `each`: every transaction
 * alone with its own tip, as independent snipers do. `none`: alone and without tips.
 */
export type TipStyle = 'shared' | 'multi_signer' | 'each' | 'none';

/**
 * How liquidity is withdrawn in the exit. `none`: it stays. `both`: LP tokens of a constant product
 * are redeemed for both sides. `one_sided`: bins that were filled with the token alone are
 * withdrawn as the quote that buyers paid in.
 */
export type LiquidityExit = 'none' | 'both' | 'one_sided';

/**
 * The parameters of an attack (METHODS §7.10). Shares are fractions of 1, durations milliseconds.
 */
export interface AttackKnobs {
  readonly difficulty: Difficulty;
  /** Number of trading wallets, without funder, intermediaries, decoys and collector. */
  readonly wallets: number;
  /** Share of the supply these wallets hold after their purchases. */
  readonly supplyShare: number;
  /**
   * Fresh intermediaries between the private funder and each wallet it pays; 0 means direct
   * payment.
   */
  readonly fundingHops: number;
  /** Mean delay before an intermediary forwards money. */
  readonly hopDelayMs: number;
  /** Share of wallets that are funded by exchanges instead, at individual times. */
  readonly hubShare: number;
  /** Payments to wallets exceed the needed amount by up to this share, drawn individually. */
  readonly fundingJitter: number;
  /** Delay between the last payment and the first purchase. */
  readonly buyDelayMs: number;
  /** Sizes of purchases and sales vary by up to this share. */
  readonly sizeJitter: number;
  /**
   * Related purchases are spread over this many slots beyond the first. An exit lasts four seconds,
   * and twelve more for each of them.
   */
  readonly slotSpread: number;
  readonly tipStyle: TipStyle;
  /** Share of wallets that are older and have traded other tokens before. */
  readonly agedShare: number;
  /**
   * Wallets that receive a little of the token afterwards and keep it, to inflate the number of
   * holders.
   */
  readonly decoyWallets: number;
  /** All tokens are sent to one wallet, which sells them. */
  readonly forwardsToOneSeller: boolean;
  readonly liquidityExit: LiquidityExit;
  /** Share of the sold tokens that is bought back. Only for types that buy back. */
  readonly rebuyShare: number;
  /** Remaining lamports are sent to a collector. */
  readonly sweepsProceeds: boolean;
  /** Mean delay before a wallet is swept. */
  readonly sweepDelayMs: number;
  /** Number of trades that cancel out, over all wallets. Only for wash volume. */
  readonly washTrades: number;
}

type Range = readonly [low: number, high: number];

/** The distributions of a difficulty, uniform within each range. */
interface Preset {
  readonly wallets: Range;
  readonly supplyShare: Range;
  readonly fundingHops: Range;
  readonly hopDelayMs: Range;
  /** Hub shares, one of which is chosen. */
  readonly hubShares: readonly number[];
  readonly fundingJitter: Range;
  readonly buyDelayMs: Range;
  readonly sizeJitter: Range;
  readonly slotSpread: Range;
  readonly tipStyles: readonly TipStyle[];
  readonly agedShare: Range;
  readonly decoyWallets: Range;
  readonly forwardingChance: number;
  readonly liquidityExits: readonly LiquidityExit[];
  readonly rebuyShare: Range;
  readonly sweepChance: number;
  readonly sweepDelayMs: Range;
  readonly washTrades: Range;
}

const SECOND = 1_000;

/** Nothing is hidden. */
const EASY: Preset = {
  wallets: [5, 16],
  supplyShare: [0.2, 0.6],
  fundingHops: [0, 0],
  hopDelayMs: [1 * SECOND, 3 * SECOND],
  hubShares: [0],
  fundingJitter: [0, 0.02],
  buyDelayMs: [3 * SECOND, 20 * SECOND],
  sizeJitter: [0, 0.05],
  slotSpread: [0, 0],
  tipStyles: ['shared'],
  agedShare: [0, 0],
  decoyWallets: [0, 0],
  forwardingChance: 0,
  liquidityExits: ['none', 'both'],
  rebuyShare: [1, 1.05],
  sweepChance: 1,
  sweepDelayMs: [5 * SECOND, 30 * SECOND],
  washTrades: [60, 160],
};

/**
 * Funded over one or two intermediaries, uneven sizes, some wallets with a history, various bundle
 * styles.
 */
const MEDIUM: Preset = {
  wallets: [4, 30],
  supplyShare: [0.1, 0.4],
  fundingHops: [1, 2],
  hopDelayMs: [2 * SECOND, 15 * SECOND],
  hubShares: [0, 0, 0.2],
  fundingJitter: [0.02, 0.2],
  buyDelayMs: [10 * SECOND, 60 * SECOND],
  sizeJitter: [0.05, 0.15],
  slotSpread: [0, 3],
  tipStyles: ['shared', 'shared', 'multi_signer'],
  agedShare: [0, 0.3],
  decoyWallets: [0, 5],
  forwardingChance: 0.4,
  liquidityExits: ['none', 'none', 'both', 'one_sided'],
  rebuyShare: [0.9, 1.02],
  sweepChance: 0.7,
  sweepDelayMs: [20 * SECOND, 90 * SECOND],
  washTrades: [50, 140],
};

/**
 * The five evasions of METHODS §7.8b combined, as far as they are drawn: a tip for each transaction
 * or none, slots spread, exchange withdrawals with uneven amounts or three private intermediaries,
 * wallets with a history.
 */
const HARD: Preset = {
  wallets: [3, 60],
  supplyShare: [0.03, 0.3],
  fundingHops: [3, 3],
  hopDelayMs: [5 * SECOND, 40 * SECOND],
  hubShares: [0, 0.5, 1],
  fundingJitter: [0.1, 0.6],
  buyDelayMs: [20 * SECOND, 120 * SECOND],
  sizeJitter: [0.1, 0.3],
  slotSpread: [2, 30],
  tipStyles: ['each', 'none'],
  agedShare: [0.3, 1],
  decoyWallets: [2, 12],
  forwardingChance: 0.5,
  liquidityExits: ['none', 'one_sided'],
  rebuyShare: [0.8, 1],
  sweepChance: 0.5,
  sweepDelayMs: [60 * SECOND, 240 * SECOND],
  washTrades: [40, 120],
};

const PRESETS: Readonly<Record<Difficulty, Preset>> = { easy: EASY, medium: MEDIUM, hard: HARD };

/** Bounds from each type's definition, which keep the drawn knobs within that type. */
const LIMITS: Readonly<Record<FraudType, (knobs: AttackKnobs) => AttackKnobs>> = {
  traditional_bundle: (knobs) => ({
    ...knobs,
    supplyShare: Math.max(knobs.supplyShare, 0.08),
    forwardsToOneSeller: false,
    liquidityExit: 'none',
  }),
  late_bundle: (knobs) => ({
    ...knobs,
    supplyShare: Math.min(Math.max(knobs.supplyShare, 0.04), 0.25),
    slotSpread: Math.min(knobs.slotSpread, 8),
    forwardsToOneSeller: false,
    liquidityExit: 'none',
  }),
  bundle_and_launder: (knobs) => ({
    ...knobs,
    wallets: Math.min(knobs.wallets, 24),
    supplyShare: Math.min(Math.max(knobs.supplyShare, 0.06), 0.25),
    slotSpread: Math.min(knobs.slotSpread, 8),
    forwardsToOneSeller: false,
    liquidityExit: 'none',
  }),
  fake_dump: (knobs) => ({
    ...knobs,
    wallets: Math.min(knobs.wallets, 12),
    supplyShare: Math.min(Math.max(knobs.supplyShare, 0.18), 0.3),
    rebuyShare: Math.max(knobs.rebuyShare, 1),
    forwardsToOneSeller: false,
    liquidityExit: 'none',
  }),
  coordinated_exit: (knobs) => ({
    ...knobs,
    wallets: Math.min(knobs.wallets, 20),
    supplyShare: Math.min(Math.max(knobs.supplyShare, 0.15), 0.4),
  }),
  wash_volume: (knobs) => ({
    ...knobs,
    wallets: Math.min(knobs.wallets, 12),
    forwardsToOneSeller: false,
    liquidityExit: 'none',
  }),
};

/** Draws the knobs of one run. */
export function drawKnobs(random: Random, type: FraudType, difficulty: Difficulty): AttackKnobs {
  const preset = PRESETS[difficulty];
  const between = ([low, high]: Range): number => random.between(low, high);
  const whole = ([low, high]: Range): number => low + random.below(high - low + 1);
  return LIMITS[type]({
    difficulty,
    wallets: whole(preset.wallets),
    supplyShare: between(preset.supplyShare),
    fundingHops: whole(preset.fundingHops),
    hopDelayMs: Math.round(between(preset.hopDelayMs)),
    hubShare: random.pick(preset.hubShares),
    fundingJitter: between(preset.fundingJitter),
    buyDelayMs: Math.round(between(preset.buyDelayMs)),
    sizeJitter: between(preset.sizeJitter),
    slotSpread: whole(preset.slotSpread),
    tipStyle: random.pick(preset.tipStyles),
    agedShare: between(preset.agedShare),
    decoyWallets: whole(preset.decoyWallets),
    forwardsToOneSeller: random.chance(preset.forwardingChance),
    liquidityExit: random.pick(preset.liquidityExits),
    rebuyShare: between(preset.rebuyShare),
    sweepsProceeds: random.chance(preset.sweepChance),
    sweepDelayMs: Math.round(between(preset.sweepDelayMs)),
    washTrades: whole(preset.washTrades),
  });
}
