import fc from 'fast-check';
import type { Execution } from '../../simulator/chain/execution.ts';
import type { TransferFee } from '../../simulator/chain/ledger.ts';
import type { LiquidityPool, PlannedPool, VenueContext } from '../../simulator/venues/launchpad.ts';
import { planToken } from '../../simulator/venues/planned-token.ts';
import type { PoolPair } from '../../simulator/venues/pool-parts.ts';
import { WRAPPED_SOL } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import { LAMPORTS, Scene, type SceneResult } from './simulated-scene.ts';

export const SUPPLY_RAW = 10n ** 15n;

/** A token whose creator owns it, and a pool with a tenth of it and 50 SOL. */
export interface OpenPool<Pool extends LiquidityPool> {
  readonly scene: Scene;
  readonly creator: Address;
  readonly mint: Address;
  readonly pool: Pool;
  readonly created: SceneResult;
}

export function openPool<Pool extends LiquidityPool>(
  plan: (context: VenueContext, pair: PoolPair) => PlannedPool & { readonly pool: Pool },
  transferFee: TransferFee | null = null,
): OpenPool<Pool> {
  const scene = new Scene();
  const creator = scene.wallet(100n * LAMPORTS, 200n * LAMPORTS);
  const token = planToken(scene, {
    ...{ creator, decimals: 6, supplyRaw: SUPPLY_RAW, transferFee },
    text: { name: 'Test', symbol: 'TST', uri: 'https://example.org/t.json' },
  });
  scene.run({ payer: creator, signers: token.createSigners, build: token.create });
  const planned = plan(scene, { baseMint: token.mint, quoteMint: WRAPPED_SOL });
  const created = scene.run({
    payer: creator,
    signers: planned.createSigners,
    build: (execution) => planned.create(execution, creator, SUPPLY_RAW / 10n, 50n * LAMPORTS),
  });
  return { scene, creator, mint: token.mint, pool: planned.pool, created };
}

/** One action of the creator, with thousandths of its holdings. */
export interface PoolStep {
  readonly kind: 'buy' | 'sell' | 'add' | 'remove';
  readonly share: number;
}

export const poolSteps: fc.Arbitrary<PoolStep[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('buy', 'sell', 'add', 'remove'),
    share: fc.integer({ min: 1, max: 400 }),
  }),
  { maxLength: 12 },
);

export function takeStep(open: OpenPool<LiquidityPool>, { kind, share }: PoolStep): SceneResult {
  const { scene, creator, mint, pool } = open;
  const part = (raw: bigint) => (raw * BigInt(share)) / 1_000n;
  const [base, quote] = [part(scene.held(creator, mint)), part(scene.held(creator, WRAPPED_SOL))];
  const lp = pool.lpMint === null ? BigInt(share) : part(scene.held(creator, pool.lpMint));
  const act: Record<PoolStep['kind'], (on: Execution) => void> = {
    buy: (on) => pool.swap(on, { trader: creator, side: 'buy', amountInRaw: quote, minOutRaw: 0n }),
    sell: (on) =>
      pool.swap(on, { trader: creator, side: 'sell', amountInRaw: base, minOutRaw: 0n }),
    add: (on) => pool.addLiquidity(on, creator, base, quote),
    remove: (on) => pool.removeLiquidity(on, creator, lp),
  };
  return scene.run({ payer: creator, build: act[kind] });
}
