import { type MarketRecords, MarketTable } from '../src/market/market-table.ts';
import { type Address, asPriceE18, asRawAmount, asUsdNano } from '../src/model/units.ts';
import { buildMinute, buildPool, buildToken } from '../tests/support/build-records.ts';
import { numberedAddress } from './numbered-addresses.ts';
import { integer, printTable } from './table.ts';

const PORTION = 500;
/** Creators launch this many each. */
const TOKENS_PER_CREATOR = 3;

/** MiB of a byte for each of the 630,000 launches of a month (docs/decisions/0031). */
const MONTH_MIB = 630_000 / 2 ** 20;

/** Prints what a token that nobody trades any more, with its pool, adds to the lists of the market. */
export function benchMarketMemory(tokens: number): void {
  const table = new MarketTable(NO_RECORDS, () => null);
  const start = usedBytes();
  addTokens(table, 0, tokens);
  const halfBytes = usedBytes();
  addTokens(table, tokens, 2 * tokens);
  const whole = { used: usedBytes(), counted: table.allocatedBytes };
  printTable(`Lists of ${integer(tokens)} and ${integer(2 * tokens)} tokens with a pool each`, [
    ['figure', 'value'],
    ['bytes a token and pool, second half', integer((whole.used - halfBytes) / tokens)],
    ['bytes a token and pool, all', integer((whole.used - start) / (2 * tokens))],
    ...Object.entries(whole.counted).map(([part, bytes]) => [
      `counted: ${part}`,
      integer(bytes / (2 * tokens)),
    ]),
    ['MiB of 630,000 tokens and pools', integer(((whole.used - start) / (2 * tokens)) * MONTH_MIB)],
  ]);
}

const NO_RECORDS: MarketRecords = { token: () => null, pool: () => null, lpMintOf: () => null };

function addTokens(table: MarketTable, from: number, to: number): void {
  for (let start = from; start < to; start += PORTION) {
    const numbers = Array.from({ length: Math.min(PORTION, to - start) }, (_, at) => start + at);
    table.putStoredPools(numbers.map(poolOf));
    table.putStoredTokens(numbers.map(tokenOf));
    table.putStoredIndicators(numbers.map(indicatorsOf));
  }
}

function poolOf(number: number) {
  const priceUsd = asPriceE18(BigInt(number + 1) * 10n ** 12n);
  const liquidityUsd = asUsdNano(BigInt(number) * 10n ** 9n);
  const given = { priceUsd, liquidityUsd, venue: 'pump', firstSeenMs: number * 1_000 } as const;
  return buildPool(poolAddress(number), mintAddress(number), given);
}

function tokenOf(number: number) {
  return buildToken(mintAddress(number), {
    name: `The ${number}th Token`,
    symbol: `TOK${number}`,
    creator: numberedAddress(3, Math.floor(number / TOKENS_PER_CREATOR)),
    primaryPool: poolAddress(number),
    priceUsd: asPriceE18(BigInt(number + 1) * 10n ** 12n),
    supplyRaw: asRawAmount(10n ** 15n),
    createdAtMs: number * 1_000,
  });
}

function indicatorsOf(number: number) {
  const baseMint = mintAddress(number);
  return buildMinute(poolAddress(number), number * 1_000, {
    baseMint,
    totalWallets: 9,
    organicWallets: 3,
    organicVolumeUsd: asUsdNano(BigInt(number) * 10n ** 10n),
    organicToTotalWalletsRatio: 0.3333,
    smartMoneyScore: 12.5,
    smartHolders: 1,
    rawHolders: 7,
  }).record;
}

const mintAddress = (number: number): Address => numberedAddress(1, number);
const poolAddress = (number: number): Address => numberedAddress(2, number);

/** After two collections: the first may leave buffers whose owners it found dead. */
function usedBytes(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
