import { SPL_TOKEN_PROGRAM, WRAPPED_SOL } from '../src/model/program.ts';
import type { SlotFacts, TokenBalanceChange, TransactionFacts } from '../src/model/slot-facts.ts';
import {
  type Address,
  asLamports,
  asRawAmount,
  asSignature,
  asSlot,
  type Signature,
} from '../src/model/units.ts';
import { numberedAddress } from './numbered-addresses.ts';

/** Of every transaction: that of a common tool. */
const SKELETON = '0123456789abcdef';

const SWAPS_A_SLOT = 100;
const SLOT_MS = 400;
export const FIRST_SLOT = 400_000_000;
const START_MS = Date.UTC(2026, 0, 1);

/**
 * One token with a pool per this many swaps, with its own traders, most of whom trade other tokens
 * too.
 */
const SWAPS_A_TOKEN = 500;
const TRADERS_A_TOKEN = 100;
const SWAPS_A_WALLET = 25;
/** How many of ten trades are of the newest tokens. */
const NEW_IN_TEN = 6;
const NEW_TOKENS = 2_000;

/** From this number on, token accounts belong to pools. */
const VAULTS = 2 ** 31;

const START_BASE = 1_000_000_000_000_000n;
const START_QUOTE = 100_000_000_000n;

/**
 * Facts of a realistic market, slot by slot: tokens are created one after the other, the newest are
 * traded most, each trader of a token buys and later sells it, and pools keep their product. The
 * same count gives the same slots. 10 M swaps are of 20,000 tokens and 400,000 wallets.
 */
export class TradedSlots implements Iterable<SlotFacts> {
  readonly slots: number;
  private readonly tokens: number;
  private readonly wallets: number;
  private readonly held: BigUint64Array;
  private readonly reserves: { base: bigint; quote: bigint }[] = [];
  private random = 1;
  private swaps = 0;

  constructor(swaps: number) {
    this.slots = Math.ceil(swaps / SWAPS_A_SLOT);
    this.tokens = Math.max(1, Math.floor(swaps / SWAPS_A_TOKEN));
    this.wallets = Math.max(TRADERS_A_TOKEN, Math.floor(swaps / SWAPS_A_WALLET));
    this.held = new BigUint64Array(this.tokens * TRADERS_A_TOKEN);
  }

  /** Endless: `slots` is the number of slots with the requested swaps. May be iterated once. */
  *[Symbol.iterator](): Generator<SlotFacts> {
    for (let index = 0; ; index++) yield this.slotOf(index);
  }

  private slotOf(index: number): SlotFacts {
    const slot = FIRST_SLOT + index;
    const transactions: TransactionFacts[] = [];
    for (let txIndex = 0; txIndex < SWAPS_A_SLOT; txIndex++) transactions.push(this.trade(txIndex));
    return {
      slot: asSlot(slot),
      parentSlot: asSlot(slot - 1),
      blockhash: `block ${index}`,
      previousBlockhash: `block ${index - 1}`,
      blockTimeMs: START_MS + Math.floor((index * SLOT_MS) / 1_000) * 1_000,
      isWhole: true,
      decoderVersion: 1_000,
      voteCount: 700,
      transactions,
      outcomes: {},
      poolMovingCount: SWAPS_A_SLOT,
      explainedCount: SWAPS_A_SLOT,
      problems: [],
    };
  }

  private trade(txIndex: number): TransactionFacts {
    const number = this.swaps++;
    const born = Math.min(this.tokens, 1 + Math.floor(number / SWAPS_A_TOKEN));
    const isNew = this.next(10) < NEW_IN_TEN;
    const token = isNew ? born - 1 - this.next(Math.min(born, NEW_TOKENS)) : this.next(born);
    const trader = token * TRADERS_A_TOKEN + this.next(TRADERS_A_TOKEN);
    const owner = addressOf(0, (Math.imul(trader, 40_503) >>> 0) % this.wallets);
    const { base, quote } = this.move(token, trader);
    return transactionOf({ number, txIndex, token, trader, owner, base, quote });
  }

  /** Balances of the pool and the trader's account before and after. */
  private move(token: number, trader: number): { base: Change; quote: Change & { pool: Change } } {
    const pool = this.reserves[token] ?? { base: START_BASE, quote: START_QUOTE };
    this.reserves[token] = pool;
    const before = this.held[trader] ?? 0n;
    const was = { ...pool };
    const product = pool.base * pool.quote;
    if (before > 0n && this.next(2) === 0) {
      pool.base += before;
      pool.quote = product / pool.base + 1n;
    } else {
      pool.quote += BigInt(10_000_000 + this.next(2_000_000_000));
      pool.base = product / pool.quote + 1n;
    }
    const after = before + was.base - pool.base;
    this.held[trader] = after;
    const poolBase = { before: was.base, after: pool.base };
    return {
      base: { before, after },
      quote: { before: was.quote, after: pool.quote, pool: poolBase },
    };
  }

  private next(below: number): number {
    this.random = (Math.imul(this.random, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.random / 2 ** 32) * below);
  }
}

interface Change {
  readonly before: bigint;
  readonly after: bigint;
}

interface TradeDraft {
  readonly number: number;
  readonly txIndex: number;
  readonly token: number;
  readonly trader: number;
  readonly owner: Address;
  readonly base: Change;
  readonly quote: Change & { readonly pool: Change };
}

function transactionOf(draft: TradeDraft): TransactionFacts {
  const { number, txIndex, token, trader, owner, base, quote } = draft;
  const [mint, pool] = [addressOf(1, token), addressOf(2, token)];
  const baseDelta = base.after - base.before;
  const quoteDelta = quote.after - quote.before;
  return {
    signature: signatureOf(number),
    txIndex,
    isIndexKnown: true,
    feePayer: owner,
    signers: [owner],
    error: null,
    feeLamports: asLamports(5_000n),
    computeUnitLimit: 200_000,
    computeUnitPriceMicroLamports: 50_000n,
    computeUnitsUsed: 90_000,
    tips: [],
    programIds: [SPL_TOKEN_PROGRAM],
    terminal: null,
    skeleton: SKELETON,
    usesLookupTables: false,
    tokenBalances: [
      balance(addressOf(3, trader), owner, mint, base),
      balance(addressOf(3, VAULTS + token), pool, mint, quote.pool),
    ],
    events: [
      {
        kind: 'swap',
        outerIx: 0,
        innerIx: -1,
        venue: 'raydium_cpmm',
        pool,
        baseMint: mint,
        quoteMint: WRAPPED_SOL,
        baseDecimals: 6,
        quoteDecimals: 9,
        trader: owner,
        side: baseDelta > 0n ? 'buy' : 'sell',
        poolBaseDelta: asRawAmount(-baseDelta),
        poolQuoteDelta: asRawAmount(quoteDelta),
        traderBaseDelta: asRawAmount(baseDelta),
        traderQuoteDelta: asRawAmount(-quoteDelta),
        reserves: {
          base: asRawAmount(quote.pool.after),
          quote: asRawAmount(quote.after),
          virtualBase: null,
          virtualQuote: null,
        },
        feeQuoteRaw: null,
        router: null,
        isIntermediateHop: false,
        isAtomicRoundTrip: false,
        isPureArbitrage: false,
        quarantine: null,
      },
    ],
  };
}

function balance(
  account: Address,
  owner: Address,
  mint: Address,
  { before, after }: Change,
): TokenBalanceChange {
  const [from, to] = [asRawAmount(before), asRawAmount(after)];
  return { account, owner, mint, decimals: 6, before: from, after: to };
}

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const known = new Map<number, Address>();
/** Kinds whose texts are needed repeatedly, so they are cached. */
const KINDS_KNOWN_MAX = 4;

/** The cached address of a number of a kind. */
function addressOf(kind: number, number: number): Address {
  const key = number * KINDS_KNOWN_MAX + kind;
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = numberedAddress(kind, number);
  known.set(key, made);
  return made;
}

/** A signature for each number: it is stored often and never parsed. */
function signatureOf(number: number): Signature {
  let text = number.toString(36).replaceAll(/[0l]/g, 'z');
  for (let state = number + 1; text.length < 88; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += ALPHABET[Math.floor((state / 2 ** 32) * ALPHABET.length)];
  }
  return asSignature(text);
}
