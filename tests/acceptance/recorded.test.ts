import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RunningCommand, temporaryFolder } from '../support/command-line.ts';
import { hasOracle, loadOracle, type OracleMove } from '../support/oracle.ts';
import { hasTestData, testData } from '../support/test-data.ts';

const CHAIN = resolve(testData, 'chain');
const WRAPPED_SOL = 'So11111111111111111111111111111111111111112';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

/** The recorded mainnet data, served as a user would serve it. */
describe.skipIf(!hasTestData || !hasOracle)('start --replay of the recorded mainnet data', () => {
  let server: RunningCommand;
  let url = '';
  const key = 'a-key-of-the-operator';

  beforeAll(async () => {
    const args = ['start', '--replay', CHAIN, '--port', '0', '--data-dir', temporaryFolder()];
    server = new RunningCommand(args, { MINTSCOPE_BOOTSTRAP_KEY: key });
    [, url = ''] = await server.shows(/listens on (http:\/\/[^;\s]+)/);
    await server.shows(/replay finished/);
  });

  afterAll(async () => {
    server.process.kill('SIGTERM');
    await server.finished;
  });

  async function get<Body>(path: string): Promise<Body> {
    const answer = await fetch(url + path, { headers: { 'x-api-key': key } });
    expect(answer.status, path).toBe(200);
    return (await answer.json()) as Body;
  }

  test('answers a launched token with the data that its creator wrote on chain', async () => {
    const mint = '5dNYcCZXEGfGgbdUdq7MMR7KLsNJLLLgL83wLH8Fpump';
    expect(await get(`/v1/token/${mint}`)).toMatchObject({
      token: {
        token_address: mint,
        creator_address: '6xo262KbDXepWbF3vPTrFXysr5vJwk3mozBXmXk3hmMx',
        total_supply: '1000000000.000000',
        name: 'MOO DOG',
        symbol: 'MOODOG',
        decimals: 6,
        mint_authority_address: null,
        creation_slot: 292_743_221,
      },
      metadata: { uri: 'https://ipfs.io/ipfs/QmbeFeWTrm1u1ev5VreMoqNK4aVuxtBXKpMdTrjdnHj7P3' },
      liquidity_event: {
        pair_address: 'CQrqvWERJtEjw2rCCQV6EqfM6V6jzTuKjhJjKNFmGB7r',
        initial_liquidity_solana_amount: '0.000000000',
      },
    });
  });

  test('answers candles whose volume is the vault movements at the SOL price of the block', async () => {
    const mint = '8UrFTdmWWt8ye8KY7Jbc9yJEaQekY7XZnGV7km3urC4a';
    const range = 'start=2025-03-11T10:00:00Z&end=2025-03-11T10:30:00Z';
    const { timeframes } = await get<{
      timeframes: { '1m': { timestamp: string; low: string; high: string; volume: string }[] };
    }>(`/v1/market/ohlc?token_address=${mint}&interval=1m&${range}`);
    const [candle, ...rest] = timeframes['1m'];
    expect(rest).toEqual([]);
    expect(candle?.timestamp).toBe('2025-03-11T10:13:00.000Z');
    const { solMoved, solUsd, prices } = await tradedInBlock(mint);
    expect(Number(candle?.volume)).toBeCloseTo(solMoved * solUsd, 1);
    expect(Number(candle?.low)).toBeCloseTo(Math.min(...prices) * solUsd, 12);
    expect(Number(candle?.high)).toBeCloseTo(Math.max(...prices) * solUsd, 12);
  });

  test('answers each signer of a launch with purchases in one transaction', async () => {
    const mint = 'ED5nyyWEzpPPiWimP8vYm7sD7TD3LAt3Q3gRTWHzPJBY';
    const { items, total } = await get<{
      items: { transaction_id: string; signing_address: string; solana_amount: string }[];
      total: number;
    }>(`/v1/market/bundled-transactions?token_address=${mint}`);
    expect(total).toBe(4);
    expect(items).toContainEqual({
      transaction_id:
        'JBnrBbgqh9jRUkUD68GdwBWoxWyz8SqEuM4eYqR6cyMMofFD43XQKjWBMHvRanPuzSU9UC8CFBQH1brAmvjxZpA',
      signing_address: '7SPkzf8DSxdemSKMEEKquRKEYrdDjcuHaQwac5nvnB4b',
      // 386,820,768 lamports to the curve and 3,868,207 fee, as a public parser's test expects.
      solana_amount: '0.390688975',
    });
  });
});

/** What the oracle saw of a token in block 326027759, and the SOL price its trades imply. */
async function tradedInBlock(
  mint: string,
): Promise<{ solMoved: number; solUsd: number; prices: number[] }> {
  const oracle = await loadOracle();
  const records = oracle.readRecords(resolve(CHAIN, 'ai-nyan-bot+bot/block_326027759.json'));
  const moves = records.flatMap((record) => {
    const normalised = oracle.normalise(record);
    return normalised === null ? [] : oracle.analyse(normalised).vaultMoves;
  });
  let solMoved = 0;
  const prices: number[] = [];
  for (const { mintIn, mintOut, amountIn, amountOut } of moves) {
    if (mintIn !== mint && mintOut !== mint) continue;
    const [sol, tokens] =
      mintIn === WRAPPED_SOL
        ? [Number(amountIn) / 1e9, Number(amountOut) / 1e6]
        : [Number(amountOut) / 1e9, Number(amountIn) / 1e6];
    solMoved += sol;
    prices.push(sol / tokens);
  }
  return { solMoved, solUsd: solPriceOf(moves), prices };
}

/** Median over the block's SOL/USDC pools of the volume-weighted price of trades of at least $1. */
function solPriceOf(moves: readonly OracleMove[]): number {
  const byPool = new Map<string, { sol: number; usd: number }>();
  for (const { pool, mintIn, mintOut, amountIn, amountOut } of moves) {
    const isSale = mintIn === WRAPPED_SOL && mintOut === USDC;
    const isPurchase = mintIn === USDC && mintOut === WRAPPED_SOL;
    if (pool === null || (!isSale && !isPurchase)) continue;
    const sol = Number(isSale ? amountIn : amountOut) / 1e9;
    const usd = Number(isSale ? amountOut : amountIn) / 1e6;
    if (usd < 1) continue;
    const sum = byPool.get(pool) ?? { sol: 0, usd: 0 };
    byPool.set(pool, { sol: sum.sol + sol, usd: sum.usd + usd });
  }
  const averages = [...byPool.values()].map(({ sol, usd }) => usd / sol).sort((a, b) => a - b);
  return averages[(averages.length - 1) >> 1] ?? Number.NaN;
}
