import { Type } from 'typebox';
import { formatFixed } from '../../lib/decimal.ts';
import { TRADE_FLAGS, type Trade, type TradePage, type TradePosition } from '../../model/trade.ts';
import type { WalletClass } from '../../model/wallet-record.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import { FRESHNESS_HEADERS } from '../schemas/wire.ts';
import {
  address,
  decimal,
  described,
  instant,
  integer,
  list,
  nullable,
  plain,
  price,
  text,
  usd,
  word,
} from './wire-kinds.ts';
import { wireRecord } from './wire-record.ts';

const CLASSES = ['organic', 'bot', null] as const satisfies readonly (WalletClass | null)[];

export const TradeItem = wireRecord<Trade>()(
  {
    trade_id: [
      text,
      ({ slot, txIndex, outerIx, innerIx }) => `${slot}-${txIndex}-${outerIx}-${innerIx}`,
      'Slot, transaction index, instruction index and inner instruction index (-1: none). The same ' +
        'for the swaps of one instruction on several pools.',
    ],
    slot: [integer, 'slot'],
    timestamp: [instant, 'timeMs', 'Block time; it never decreases with the slot.'],
    commitment: [
      word(['confirmed', 'finalized']),
      ({ isFinal }) => (isFinal ? 'finalized' : 'confirmed'),
      'confirmed while a fork may still revert the trade. The slot in x-slot does not decide it: it is ' +
        'as of final_slot of GET /v1/coverage, and finalized up to there.',
    ],
    signature: [text, 'signature', 'Transaction signature.'],
    pair_address: [address, 'pool'],
    token_address: [address, 'mint'],
    venue: [text, 'venue', 'Program of the pool, as named in /v1/coverage.'],
    router: [nullable(address), 'router', 'Program that called the pool; null for a direct swap.'],
    terminal: [nullable(text), 'terminal', 'Trading terminal; null if none is known.'],
    wallet_address: [nullable(address), 'wallet', 'Null if the trader is unknown.'],
    side: [word(['buy', 'sell']), 'side', 'Side of the wallet, in the token.'],
    token_amount: [
      decimal,
      ({ baseRaw, baseDecimals }) => formatFixed(baseRaw, baseDecimals),
      'Whole tokens that the pool exchanged, without fees.',
    ],
    quote_mint: [nullable(address), 'quoteMint', 'Null for swaps in several quotes.'],
    quote_amount: [
      nullable(decimal),
      ({ quoteRaw, quoteDecimals }) =>
        quoteRaw === null || quoteDecimals === null ? null : formatFixed(quoteRaw, quoteDecimals),
      'Whole units of quote_mint that the pool exchanged, without fees.',
    ],
    price_usd: [nullable(price), 'priceUsd', 'Executed price of one token; null if unknown.'],
    value_usd: [nullable(usd), 'valueUsd', 'Value of quote_amount; null if unknown.'],
    wallet_class: [
      plain(Type.Unsafe<WalletClass | null>({ type: ['string', 'null'], enum: CLASSES })),
      'walletClass',
      'Class of the wallet in the pool at the end of the slot; null if the trader is no wallet.',
    ],
    flags: [
      list(word(TRADE_FLAGS)),
      'flags',
      'hop: the token only passed through on a route; arbitrage: one of swaps on several pools with ' +
        'no net outflow; round_trip: bought and sold back on the pool in the transaction; bundled: ' +
        'member of a bundle; wash: covered by a wash trading finding; quarantined: contradicts the ' +
        'balances and counts nowhere. bundled and wash are as known now.',
    ],
  },
  { title: 'Trade' },
);

/** `next`: writes the cursor of the next page. */
export const TradesBody = wireRecord<TradePage, (next: TradePosition) => string>()(
  {
    trades: [list(described(TradeItem, 'A trade.')), 'trades', 'Newest first.'],
    next_cursor: [
      nullable(text),
      ({ next }, write) => next && write(next),
      'Cursor of the next page; null on the last page.',
    ],
  },
  {
    title: 'Trades',
    description: 'One page of trades.',
    headers: FRESHNESS_HEADERS,
    examples: [
      {
        trades: [
          {
            trade_id: `${EXAMPLE.slot}-12-3--1`,
            slot: EXAMPLE.slot,
            timestamp: EXAMPLE.instant,
            commitment: 'finalized',
            signature: EXAMPLE.signature,
            pair_address: EXAMPLE.pool,
            token_address: EXAMPLE.mint,
            venue: 'pump_amm',
            router: null,
            terminal: 'axiom',
            wallet_address: EXAMPLE.wallet,
            side: 'buy',
            token_amount: '125000.000000',
            quote_mint: 'So11111111111111111111111111111111111111112',
            quote_amount: '0.250000000',
            price_usd: '0.0004',
            value_usd: '50.00',
            wallet_class: 'organic',
            flags: ['bundled'],
          },
        ],
        next_cursor: null,
      },
    ],
  },
);
