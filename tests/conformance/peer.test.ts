import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readBlock } from '../../src/chain/rpc-json/read-block.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import type { Swap } from '../../src/model/swap.ts';
import { hasTestData, testData } from '../support/test-data.ts';

/** A trade as solana-dex-parser reports it, with raw amounts. */
interface PeerTrade {
  readonly amm?: string;
  readonly inputToken: { readonly mint: string; readonly amountRaw: string };
  readonly outputToken: { readonly mint: string; readonly amountRaw: string };
}
interface PeerTransaction {
  readonly signature: string;
  readonly isFailed: boolean;
  readonly trades: readonly PeerTrade[];
}

/**
 * `same`: one of our swaps, in the pool's amounts or the trader's. `duplicate`: another trade
 * already matches that swap. `failed`: of a failed transaction. `reversed`: a swap with paid and
 * got exchanged. `amount`: a swap with one amount wrong. `none`: neither amount is a swap's.
 * `missed`: our swap without a trade. docs/quality/decoders.md says who is right.
 */
type Class = 'same' | 'duplicate' | 'failed' | 'reversed' | 'amount' | 'none' | 'missed';
type Counts = Record<string, number>;

const BLOCKS: readonly {
  readonly path: string;
  readonly counts: Counts;
  readonly disagreements: readonly string[];
}[] = [
  {
    path: 'ai-nyan-bot+bot/block_326027759.json',
    counts: {
      'same fluxbeam': 1,
      'same lifinity_v2': 4,
      'same pump': 14,
      'same raydium_amm_v4': 76,
      'same raydium_clmm': 4,
      'duplicate lifinity_v2': 3,
      'duplicate pump': 1,
      'duplicate raydium_amm_v4': 5,
      'duplicate raydium_clmm': 2,
      'failed MeteoraDLMM': 17,
      'failed Orca': 1,
      'failed RaydiumCL': 24,
      'failed RaydiumCPMM': 6,
      'failed RaydiumV4': 28,
      'failed SolFi': 6,
      'failed ZeroFi': 4,
      'amount Moonit': 1,
      'none Openbook': 1,
      'none Unknown': 1,
      'missed moonshot': 1,
    },
    disagreements: [
      'amount Moonit 5vZHJxz4Qa6eY1jXwpJJGJaKhZTcmJUbnS1P2oAE9WnYVnApJ9V7P6hsK8aq6Lg9mbXvZqSQpfNP3LNRR4quiztG',
      'missed moonshot 5vZHJxz4Qa6eY1jXwpJJGJaKhZTcmJUbnS1P2oAE9WnYVnApJ9V7P6hsK8aq6Lg9mbXvZqSQpfNP3LNRR4quiztG',
      'none Unknown 3ZFJMighsLmqnWYBUo7sW6GRGNj7kPy4gbYHemNaiKc3CXsTgZufiypUDBKX3V54csC3RTPj1rmm1VXmmnBY5h2P',
      'none Openbook 26RmeG3gyVXJQNwpBuJqBuJGYFee8YLr7neQNwvhABivjHxTEQQt85eZptvAy9EcNmG4ixUQQfvZVi3xu1PPRAki',
    ],
  },
  {
    path: 'helius-labs+photon/tests/data/blocks/index_block_metadata/254170887',
    counts: {
      'same invariant': 2,
      'same lifinity_v2': 3,
      'same mercurial': 2,
      'same meteora_damm_v1': 4,
      'same meteora_dlmm': 7,
      'same orca_v1': 1,
      'same orca_v2': 4,
      'same orca_whirlpool': 16,
      'same phoenix': 1,
      'same raydium_amm_v4': 23,
      'same raydium_clmm': 3,
      'same saber': 2,
      'same saros': 2,
      'duplicate invariant': 2,
      'duplicate lifinity_v2': 1,
      'duplicate mercurial': 2,
      'duplicate meteora_damm_v1': 3,
      'duplicate meteora_dlmm': 3,
      'duplicate orca_whirlpool': 11,
      'duplicate raydium_amm_v4': 5,
      'duplicate raydium_clmm': 1,
      'duplicate saber': 1,
      'failed Aldrin': 2,
      'failed LifinityV2': 30,
      'failed Mercurial': 16,
      'failed MeteoraDLMM': 35,
      'failed MeteoraDamm': 15,
      'failed Orca': 94,
      'failed Phoenix': 18,
      'failed RaydiumCL': 45,
      'failed RaydiumV4': 64,
      'failed Saber': 10,
      'failed Unknown': 43,
      'amount OrcaV1': 1,
      'amount OrcaV2': 1,
      'amount Phoenix': 1,
      'reversed Phoenix': 1,
      'missed phoenix': 1,
    },
    disagreements: [
      'amount OrcaV2 4ijsPheC5WXMhXNHDg2NWGqZXSx3QVLQoPFNyUFqE5wnh1TcyEUgmVATGq3GsXgEAJLbBBwKb7rBCwTJvzbuE6TZ',
      'reversed Phoenix 3ebFK5U7CTax2BigHRFT2ydLJWzj3zAmDCbTGCdFAVCF5vMLLkJkco2ggVS2YTKfze1wpXrLxyidHXcEqUhx7aKu',
      'missed phoenix 3ebFK5U7CTax2BigHRFT2ydLJWzj3zAmDCbTGCdFAVCF5vMLLkJkco2ggVS2YTKfze1wpXrLxyidHXcEqUhx7aKu',
      'amount OrcaV1 3ptkKyi3bcueehpQtQevoEJR4b5zLYYnbnLrWwbjnPjjNNBgqydNeUEC2wVzMWpoZtiwSK2XCY2DRyxy1ZkKei7Y',
      'amount Phoenix 2NvsB6LbmGPzTT3h5rPDwxeg7wtZ1vvANrZyCdAhU6SMdx64fBG4raXuags4Vq1ce91bvrhXKfGu2tU6wzHXGmwg',
    ],
  },
];

describe.skipIf(!hasTestData)('solana-dex-parser, compared with our swaps', () => {
  test.each(BLOCKS)('differs in known ways only over $path', ({ path, counts, disagreements }) => {
    const json = JSON.parse(readFileSync(resolve(testData, 'chain', path), 'utf8')) as Block;
    const swapsOf = swapsBySignature(json);
    const found: Counts = {};
    const lines: string[] = [];
    for (const transaction of peerTransactions(json)) {
      const swaps = swapsOf.get(transaction.signature) ?? [];
      for (const { kind, program } of compare(transaction, swaps)) {
        const key = `${kind} ${program}`;
        found[key] = (found[key] ?? 0) + 1;
        if (kind === 'same' || kind === 'duplicate' || kind === 'failed') continue;
        lines.push(`${key} ${transaction.signature}`);
      }
    }
    expect(found).toEqual(counts);
    expect(lines).toEqual(disagreements);
  });
});

function swapsBySignature(json: Block): Map<string, Swap[]> {
  const reading = readBlock(json);
  if (reading.status !== 'ok') throw new Error(`the block was ${reading.status}`);
  return new Map(
    decodeBlock(reading.value).transactions.map(({ signature, events }) => [
      signature,
      events.filter((event) => event.kind === 'swap'),
    ]),
  );
}

/** Every trade of the peer by class, and the swaps without a trade. */
function compare(transaction: PeerTransaction, swaps: readonly Swap[]) {
  const explained = new Set<Swap>();
  const outcomes: { readonly kind: Class; readonly program: string }[] = [];
  for (const trade of transaction.trades) {
    const fits = swaps.filter((swap) => isSame(trade, swap));
    const swap = fits.find((one) => !explained.has(one));
    if (swap !== undefined) explained.add(swap);
    const program = swap?.venue ?? fits[0]?.venue ?? trade.amm ?? 'Unknown';
    const kind = swap !== undefined ? 'same' : classOf(transaction.isFailed, trade, swaps);
    outcomes.push({ kind, program });
  }
  for (const swap of swaps) {
    if (!explained.has(swap)) outcomes.push({ kind: 'missed', program: swap.venue });
  }
  return outcomes;
}

function classOf(isFailed: boolean, trade: PeerTrade, swaps: readonly Swap[]): Class {
  if (isFailed) return 'failed';
  if (swaps.some((swap) => isSame(trade, swap))) return 'duplicate';
  const { inputToken, outputToken } = trade;
  const turned = { inputToken: outputToken, outputToken: inputToken };
  if (swaps.some((swap) => isSame(turned, swap))) return 'reversed';
  return swaps.some((swap) => fitsIn(trade, swap) || fitsOut(trade, swap)) ? 'amount' : 'none';
}

function isSame(trade: PeerTrade, swap: Swap): boolean {
  return fitsIn(trade, swap) && fitsOut(trade, swap);
}

function fitsIn({ inputToken }: PeerTrade, swap: Swap): boolean {
  const { paid } = legsOf(swap);
  return inputToken.mint === paid.mint && paid.amounts.includes(inputToken.amountRaw);
}

function fitsOut({ outputToken }: PeerTrade, swap: Swap): boolean {
  const { got } = legsOf(swap);
  return outputToken.mint === got.mint && got.amounts.includes(outputToken.amountRaw);
}

/** The amounts into and out of the pool, each as the pool and as the trader saw them. */
function legsOf(swap: Swap) {
  const base = legOf(swap.baseMint, swap.poolBaseDelta, swap.traderBaseDelta);
  const quote = legOf(swap.quoteMint, swap.poolQuoteDelta, swap.traderQuoteDelta);
  return swap.side === 'buy' ? { paid: quote, got: base } : { paid: base, got: quote };
}

function legOf(mint: string, poolDelta: bigint, traderDelta: bigint | null) {
  const amounts = [poolDelta, traderDelta ?? poolDelta].map((delta) => `${delta}`.replace('-', ''));
  return { mint, amounts };
}

interface Block {
  readonly blockTime: number;
  readonly parentSlot: number;
  readonly transactions: readonly {
    readonly transaction: readonly [bytes: string, encoding: string] | string;
    readonly meta: { readonly err: unknown };
  }[];
}
interface Versioned {
  readonly message: unknown;
  readonly version: unknown;
  readonly signatures: readonly Uint8Array[];
}
interface Base58 {
  decode(text: string): Uint8Array;
  encode(bytes: Uint8Array): string;
}

/** The peer's trades from input as documented: transactions as web3.js objects. */
function peerTransactions({ blockTime, parentSlot, transactions }: Block): PeerTransaction[] {
  const require = createRequire(import.meta.url);
  const requireOfPeer = createRequire(require.resolve('solana-dex-parser'));
  const { DexParser } = require('solana-dex-parser') as {
    DexParser: new () => { parseTrades(transaction: unknown): PeerTrade[] };
  };
  const { VersionedTransaction } = requireOfPeer('@solana/web3.js') as {
    VersionedTransaction: { deserialize(bytes: Uint8Array): Versioned };
  };
  const bs58 = requireOfPeer('bs58') as Base58 & { default?: Base58 };
  const base58 = bs58.default ?? bs58;
  const parser = new DexParser();
  return transactions.map(({ transaction, meta }) => {
    const [text, encoding] = typeof transaction === 'string' ? [transaction] : transaction;
    const bytes = encoding === 'base64' ? Buffer.from(text, 'base64') : base58.decode(text);
    const { message, version, signatures: raw } = VersionedTransaction.deserialize(bytes);
    const signatures = raw.map((one) => base58.encode(one));
    const record = { slot: parentSlot + 1, blockTime, version, meta };
    const trades = parser.parseTrades({ ...record, transaction: { message, signatures } });
    return { signature: signatures[0] ?? '', isFailed: meta.err !== null, trades };
  });
}
