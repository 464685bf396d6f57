import { AlphaVault } from '../alpha-vault.ts';
import { attractAudience, mintPoolToken } from '../audience.ts';
import { type BenignGroup, drawAmounts, drawSol, payStrangers } from '../benign-group.ts';
import { withdraw } from '../funding.ts';
import { heldOf, saleOrder } from '../orders.ts';
import type { ScenarioContext } from '../scenario.ts';
import { pause, type Script, together } from '../script.ts';
import { land } from '../sending.ts';
import { openStaged } from '../staged-pool.ts';

const COUNT = { least: 12, more: 14 } as const;
const POOL_LAMPORTS = 30_000_000_000n;
/** Balance of the wallet that calls the vault; anyone may call it. */
const CRANK_LAMPORTS = 100_000_000n;
const MILLION = 1_000_000n;

/**
 * N16: a vault buys for all whitelisted wallets, in the first slot, at one price. Whitelisted
 * wallets pay into a vault, which buys for them when the pool opens.
 */
export function* whitelistLaunch(context: ScenarioContext, group: BenignGroup): Script {
  const { world, random } = context;
  const count = random.count(COUNT);
  const members = group.openSeveral(count, 'organic', 'whitelisted user');
  const depositOf = drawAmounts(members, () => drawSol(context, 0.2, 1));
  yield* payStrangers(context, members, depositOf, 120_000);
  const crank = group.open('bot', 'crank');
  yield* withdraw(context, crank, CRANK_LAMPORTS);
  const staged = yield* mintPoolToken(context, POOL_LAMPORTS);
  if (staged === null) return;
  const { creator } = staged;
  const { mint } = staged.token;
  const vault = new AlphaVault(world.keyring, world.tokenAccounts, staged.pool);
  group.add(vault.vault);
  yield* land(world, { feePayer: creator, build: (on) => vault.open(on, creator) });
  yield* together(
    members.map(function* (member) {
      yield* pause(world, random.between(0, 60_000));
      const lamports = depositOf(member);
      const pays = { feePayer: member };
      yield* land(world, { ...pays, build: (on) => vault.deposit(on, member, lamports) });
    }),
  );
  const pool = { supplyShare: 0.95, lamports: POOL_LAMPORTS };
  const slot = yield* openStaged(context, staged, pool);
  if (slot === null) return;
  group.begin(mint, slot, { count });
  yield* land(world, {
    feePayer: crank,
    priority: 1_000_000,
    computeBudget: { unitLimit: 300_000, priceMicroLamports: 200_000n },
    build: (execution) => vault.fill(execution, crank),
  });
  attractAudience(context, mint, 0.5, {
    count: 16,
    overMs: 90_000,
    medianSol: 0.4,
    nervousShare: 0.2,
  });
  const total = members.reduce((sum, member) => sum + depositOf(member), 0n);
  const bought = heldOf(context, vault.vault, mint);
  yield* together(
    members.map(function* (member) {
      yield* pause(world, random.between(500, 40_000));
      const share = (depositOf(member) * MILLION) / total;
      const amountRaw = (bought * share) / MILLION;
      const claim = { feePayer: member };
      yield* land(world, { ...claim, build: (on) => vault.claim(on, member, amountRaw) });
      if (!random.chance(0.3)) return;
      yield* pause(world, random.between(10_000, 80_000));
      const sale = { trader: member, market: staged.pool, share: 0.5 };
      yield* land(world, saleOrder(context, sale));
    }),
  );
  group.end();
}
