import { toChainBlock } from '../../simulator/faces/to-chain-block.ts';
import type { Difficulty, FraudType } from '../../simulator/truth/labels.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { Engine } from '../../src/engine/engine.ts';
import { COORDINATION_MIN } from '../../src/fold/wallets/features/wallet-thresholds.ts';
import { hasTrader, type WalletSwap } from '../../src/model/derived.ts';
import { type Address, asPriceE18, type PriceE18 } from '../../src/model/units.ts';
import { runAttack, type ScenarioRun } from '../support/scenario-stage.ts';
import { streamOf } from './fraud-run.ts';

/** An attack whose pools are measured. */
export interface VolumePlan {
  readonly type: FraudType;
  readonly difficulty: Difficulty;
  readonly seed: string;
}

/** Volumes of one span of a pool, in nano-USD. */
export interface MeasuredVolume {
  readonly total: bigint;
  /** By wallets that belong to no crew and are no programs, by the labels. */
  readonly truth: bigint;
  /** As the service gives it. */
  readonly measured: bigint;
}

/** A pool in which the crew of an attack traded. */
export interface PoolVolume {
  readonly plan: VolumePlan;
  readonly pool: Address;
  /** Slot of the first finding that makes the crew bots; null when there was none. */
  readonly foundSlot: number | null;
  /** `organic_volume_usd` at the end: classes as they are then. */
  readonly current: MeasuredVolume;
  /** All trades, each by the class of its trader in its slot, as history has them. */
  readonly asTraded: MeasuredVolume;
  /** The same from the finding's slot on; null without a finding. */
  readonly afterFinding: MeasuredVolume | null;
}

/** A measured volume at most this share of the pool's true organic volume away is right. */
export const RIGHT_WITHIN = 0.05;

const FALLBACK_SOL_USD: PriceE18 = asPriceE18(180n * 10n ** 18n);

/** Plays an attack through decoders and engine and compares the volumes of its pools. */
export function measureVolumes(plan: VolumePlan): PoolVolume[] {
  const run = runAttack(plan.type, plan.difficulty, streamOf(plan));
  const mint = run.attack?.mint;
  if (mint === undefined) throw new Error(`${plan.type} ${plan.seed} left no label`);
  const { engine, trades, foundSlot } = play(run, mint);
  const isCrew = crewOf(run);
  return [...Map.groupBy(trades, ({ swap }) => swap.pool)]
    .filter(([, own]) => own.some(({ swap }) => isCrew(swap.trader)))
    .map(([pool, own]) => {
      const asTraded = volumeOf(own, isCrew);
      const measured = engine.indicators(pool)?.organicVolumeUsd ?? 0n;
      const later = foundSlot === null ? null : own.filter(({ slot }) => slot >= foundSlot);
      return {
        ...{ plan, pool, foundSlot, asTraded },
        current: { ...asTraded, measured },
        afterFinding: later === null ? null : volumeOf(later, isCrew),
      };
    });
}

interface Played {
  readonly engine: Engine;
  /** Trades of the mint by wallets and programs, without hops. */
  readonly trades: readonly WalletSwap[];
  readonly foundSlot: number | null;
}

function play({ blocks }: ScenarioRun, mint: Address): Played {
  const engine = new Engine({ fallbackSolUsd: FALLBACK_SOL_USD });
  const trades: WalletSwap[] = [];
  let foundSlot: number | null = null;
  for (const block of blocks) {
    const { slot, swaps, classifications } = engine.apply(decodeBlock(toChainBlock(block)));
    const isFound = classifications.some(
      ({ finding }) => finding.mint === mint && finding.confidence >= COORDINATION_MIN,
    );
    if (isFound) foundSlot ??= slot;
    for (const priced of swaps) {
      // Relabelled swaps of earlier slots are listed again.
      if (priced.slot === slot && hasTrader(priced) && isOfMint(priced, mint)) trades.push(priced);
    }
  }
  return { engine, trades, foundSlot };
}

function isOfMint({ swap, exclusion }: WalletSwap, mint: Address): boolean {
  return swap.baseMint === mint && exclusion !== 'quarantined' && !swap.isIntermediateHop;
}

/** Share of pools whose measured organic volume is right; null without pools. */
export function shareRight(volumes: readonly MeasuredVolume[]): number | null {
  if (volumes.length === 0) return null;
  return volumes.filter(isRight).length / volumes.length;
}

/** Measured over true; null where nothing is organic. */
export function ratioOf({ measured, truth }: MeasuredVolume): number | null {
  return truth === 0n ? null : Number((measured * 10_000n) / truth) / 10_000;
}

/** A pool without organic volume is right if no more than 5 % of its total is called so. */
export function isRight(volume: MeasuredVolume): boolean {
  const ratio = ratioOf(volume);
  if (ratio !== null) return Math.abs(ratio - 1) <= RIGHT_WITHIN;
  return Number(volume.measured) <= RIGHT_WITHIN * Number(volume.total);
}

function crewOf({ attack, labels }: ScenarioRun): (wallet: Address) => boolean {
  return (wallet) =>
    attack?.roles.has(wallet) === true || labels.wallets.get(wallet)?.automation === 'bot';
}

function volumeOf(
  trades: readonly WalletSwap[],
  isCrew: (wallet: Address) => boolean,
): MeasuredVolume {
  const sum = { total: 0n, truth: 0n, measured: 0n };
  for (const { swap, valueUsd, walletClass } of trades) {
    const value = valueUsd ?? 0n;
    sum.total += value;
    if (!isCrew(swap.trader)) sum.truth += value;
    if (walletClass === 'organic') sum.measured += value;
  }
  return sum;
}
