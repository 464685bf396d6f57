import { buySteps, sellSteps } from '../../simulator/market/trade-steps.ts';
import { ensureTokenAccount, wrapLamports } from '../../simulator/programs/associated-token.ts';
import type { TokenText } from '../../simulator/programs/token-text.ts';
import { planPumpLaunch } from '../../simulator/venues/pump-launch.ts';
import { PumpStage, SOL } from './pump-stage.ts';

/** A whole life: launch, trades, completion, migration, trades and liquidity in the pool. */
export function pumpLife(version: 'create' | 'create_v2', text: TokenText) {
  const stage = new PumpStage(`life ${version}`);
  const creator = stage.wallet(100n * SOL);
  const buyer = stage.wallet(200n * SOL);
  const launch = planPumpLaunch(stage, creator, text, { version });
  const { tokenAccounts } = stage;
  const { curve, migratedPool: pool, mint } = launch;
  stage.succeed(creator, (execution) => launch.create(execution), launch.createSigners);
  const buy = (lamports: bigint, market: typeof curve | typeof pool = curve) =>
    stage.succeed(buyer, (execution) =>
      buySteps(execution, tokenAccounts, {
        market,
        trader: buyer,
        amountInRaw: lamports,
        minOutRaw: market.quote(stage.ledger, 'buy', lamports),
      }),
    );
  const sell = (tokens: bigint, market: typeof curve | typeof pool = curve) =>
    stage.succeed(buyer, (execution) =>
      sellSteps(execution, tokenAccounts, {
        market,
        trader: buyer,
        amountInRaw: tokens,
        minOutRaw: market.quote(stage.ledger, 'sell', tokens),
      }),
    );
  buy(3n * SOL);
  sell(20_000_000_000_000n);
  stage.succeed(creator, (execution) => {
    ensureTokenAccount(execution, tokenAccounts, creator, creator, mint);
    const purchase = { trader: creator, tokensRaw: 5_000_000_000_000n, maxLamports: SOL };
    curve.buyTokens(execution, purchase);
  });
  buy(100n * SOL);
  stage.succeed(creator, (execution) => launch.migrate(execution, creator));
  buy(2n * SOL, pool);
  sell(10_000_000_000_000n, pool);
  stage.succeed(creator, (execution) => {
    wrapLamports(execution, tokenAccounts, creator, 10n * SOL);
    const purchase = { trader: creator, tokensRaw: 1_000_000_000_000n, maxQuoteRaw: 2n * SOL };
    pool.buyTokens(execution, purchase);
  });
  stage.succeed(creator, (execution) =>
    pool.addLiquidity(execution, creator, 4_000_000_000_000n, 3n * SOL),
  );
  const lp = stage.ledger.token(tokenAccounts.of(creator, pool.lpMint)).amountRaw;
  stage.succeed(creator, (execution) => pool.removeLiquidity(execution, creator, lp));
  return { stage, launch, creator, buyer };
}
