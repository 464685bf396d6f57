import { SPL_TOKEN_PROGRAM, USDC, WRAPPED_SOL } from '../../src/model/program.ts';
import {
  address,
  type InstructionDraft,
  signature,
  type TransactionDraft,
} from './build-transaction.ts';
import { type BlockDraft, rawBlock } from './raw-block.ts';

const CPMM = 'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C';
const SWAP_BASE_INPUT = Buffer.from('8fbe5adac41e33de', 'hex');

/** A constant-product pool without fees whose balances chain from transaction to transaction. */
interface Pool {
  readonly name: string;
  readonly base: string;
  readonly quote: string;
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
  baseReserve: bigint;
  quoteReserve: bigint;
}

/**
 * Raw getBlock answers of a small market: one SOL/USDC pool and two token/SOL pools, traded by a
 * handful of wallets. Every swap reconciles, every balance chains; the same arguments give the same
 * blocks. Without `showsSolPrice` the SOL/USDC pool is left out. Sizes come from a linear
 * congruential sequence, independent of clock and random numbers.
 */
export function marketBlocks(
  count: number,
  firstSlot = 1_000,
  showsSolPrice = true,
): Record<string, unknown>[] {
  const pools: Pool[] = [
    pool('sol-usdc', WRAPPED_SOL, USDC, 9, 6, 50_000_000_000_000n, 10_000_000_000_000n),
    pool('cat-sol', address('cat mint'), WRAPPED_SOL, 6, 9, 500_000_000_000_000n, 900_000_000_000n),
    pool('dog-sol', address('dog mint'), WRAPPED_SOL, 6, 9, 800_000_000_000_000n, 400_000_000_000n),
  ];
  if (!showsSolPrice) pools.shift();
  const holdings = new Map<string, bigint>();
  let state = 7n;
  const next = (limit: number): number => {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) % 2n ** 64n;
    return Number((state >> 33n) % BigInt(limit));
  };
  return Array.from({ length: count }, (_, index) => {
    const slot = firstSlot + index;
    const transactions = pools.map((traded, txIndex) => {
      const trader = address(`wallet ${next(9)}`);
      return trade(traded, trader, next(2) === 0, 1 + next(1_000), holdings, {
        signature: signature(`trade ${slot} ${txIndex}`),
        txIndex,
      });
    });
    const draft: BlockDraft = {
      slot,
      blockTime: 1_700_000_000 + Math.floor(index * 0.4),
      transactions,
    };
    return rawBlock(draft);
  });
}

function pool(
  name: string,
  base: string,
  quote: string,
  baseDecimals: number,
  quoteDecimals: number,
  baseReserve: bigint,
  quoteReserve: bigint,
): Pool {
  return { name, base, quote, baseDecimals, quoteDecimals, baseReserve, quoteReserve };
}

function trade(
  market: Pool,
  trader: string,
  isBuy: boolean,
  size: number,
  holdings: Map<string, bigint>,
  place: { signature: string; txIndex: number },
): TransactionDraft {
  const { base, quote, baseReserve, quoteReserve } = market;
  const amountIn = ((isBuy ? quoteReserve : baseReserve) * BigInt(size)) / 1_000_000n + 1n;
  const [reserveIn, reserveOut] = isBuy ? [quoteReserve, baseReserve] : [baseReserve, quoteReserve];
  const amountOut = (reserveOut * amountIn) / (reserveIn + amountIn);
  const [mintIn, mintOut] = isBuy ? [quote, base] : [base, quote];
  const vault = (mint: string) => address(`${market.name} ${mint === base ? 'base' : 'quote'}`);
  const wallet = (mint: string) => address(`${trader.slice(0, 9)} ${mint.slice(0, 9)}`);
  const authority = address('cpmm authority');
  market.baseReserve += isBuy ? -amountOut : amountIn;
  market.quoteReserve += isBuy ? amountIn : -amountOut;
  const change = (mint: string, delta: bigint) => {
    const account = wallet(mint);
    const before = holdings.get(account) ?? 10n ** 15n;
    holdings.set(account, before + delta);
    return {
      account,
      mint,
      owner: trader,
      decimals: decimalsOf(market, mint),
      before,
      after: before + delta,
    };
  };
  const vaultBalance = (mint: string, before: bigint, delta: bigint) => ({
    account: vault(mint),
    mint,
    owner: authority,
    decimals: decimalsOf(market, mint),
    before,
    after: before + delta,
  });
  return {
    ...place,
    signers: [trader],
    instructions: [
      {
        program: CPMM,
        accounts: [
          trader,
          authority,
          address('cpmm config'),
          address(market.name),
          wallet(mintIn),
          wallet(mintOut),
          vault(mintIn),
          vault(mintOut),
          SPL_TOKEN_PROGRAM,
          SPL_TOKEN_PROGRAM,
          mintIn,
          mintOut,
          address('observation'),
        ],
        data: Buffer.concat([SWAP_BASE_INPUT, u64(amountIn), u64(0n)]),
        inner: [
          transfer(wallet(mintIn), vault(mintIn), trader, amountIn),
          transfer(vault(mintOut), wallet(mintOut), authority, amountOut),
        ],
      },
    ],
    tokenBalances: [
      change(mintIn, -amountIn),
      change(mintOut, amountOut),
      vaultBalance(mintIn, reserveIn, amountIn),
      vaultBalance(mintOut, reserveOut, -amountOut),
    ],
    lamports: { [trader]: [10n ** 10n, 10n ** 10n - 5_000n] },
  };
}

function decimalsOf(market: Pool, mint: string): number {
  return mint === market.base ? market.baseDecimals : market.quoteDecimals;
}

function transfer(from: string, to: string, owner: string, amount: bigint): InstructionDraft {
  return {
    program: SPL_TOKEN_PROGRAM,
    accounts: [from, to, owner],
    data: Buffer.concat([Uint8Array.of(3), u64(amount)]),
  };
}

function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}
