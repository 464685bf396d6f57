import { ADDRESS_CLASSES } from '../../model/address-registry.ts';
import { circulatingValue } from '../../model/market-cap.ts';
import type { TokenRecord } from '../../model/token-record.ts';
import type { Address } from '../../model/units.ts';
import {
  type CreatedTokenCursor,
  type CreatedTokenPage,
  LINK_KINDS,
  type LinkCursor,
  type LinkPage,
  type LinkTransaction,
  type PositionPage,
  type WalletLink,
} from '../../model/wallet-lists.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import { FRESHNESS_HEADERS } from '../schemas/wire.ts';
import { formatTokens } from './format-wire.ts';
import { POSITION_EXAMPLE, PositionBody } from './wallet-body.ts';
import {
  address,
  decimal,
  integer,
  list,
  maybeInstant,
  maybeWord,
  nullable,
  price,
  rounded,
  sol,
  text,
  usd,
  uuid,
  word,
} from './wire-kinds.ts';
import { wireRecord } from './wire-record.ts';

/** Whose list a page is of, and how its cursor is written. */
interface ListContext<Position> {
  readonly wallet: Address;
  readonly write: (next: Position) => string;
}

const NEXT = 'Cursor of the next page; null on the last page.';

export const WalletPositionsBody = wireRecord<PositionPage, ListContext<number>>()(
  {
    wallet_address: [address, (_, { wallet }) => wallet],
    positions: [list(PositionBody), 'positions', 'Newest positions first.'],
    next_cursor: [
      nullable(text),
      ({ next }, { write }) => (next === null ? null : write(next)),
      NEXT,
    ],
  },
  {
    description: 'One page of positions.',
    headers: FRESHNESS_HEADERS,
    examples: [
      { wallet_address: EXAMPLE.wallet, positions: [POSITION_EXAMPLE], next_cursor: null },
    ],
  },
);

const CreatedToken = wireRecord<TokenRecord>()({
  token_address: [address, 'mint'],
  name: [nullable(text), 'name'],
  symbol: [nullable(text), 'symbol'],
  creation_slot: [nullable(integer), 'creationSlot', 'Null if the creation was not recorded.'],
  created_at: [maybeInstant, 'createdAtMs'],
  pair_address: [nullable(address), 'primaryPool', 'The pool that prices the token.'],
  price_usd: [nullable(price), 'priceUsd'],
  market_cap_usd: [
    nullable(usd),
    (token) => circulatingValue(token, token.priceUsd),
    'Price times the supply that no burn address holds, as in other lists; null if either is ' +
      'unknown.',
  ],
});

export const CreatedTokensBody = wireRecord<CreatedTokenPage, ListContext<CreatedTokenCursor>>()(
  {
    wallet_address: [address, (_, { wallet }) => wallet],
    tokens: [list(CreatedToken), 'tokens', 'Newest first; tokens of unknown creation last.'],
    next_cursor: [nullable(text), ({ next }, { write }) => next && write(next), NEXT],
  },
  {
    description: 'One page of created tokens.',
    headers: FRESHNESS_HEADERS,
    examples: [
      {
        wallet_address: EXAMPLE.wallet,
        tokens: [
          {
            token_address: EXAMPLE.mint,
            name: 'Example',
            symbol: 'EXMP',
            creation_slot: EXAMPLE.slot,
            created_at: EXAMPLE.instant,
            pair_address: EXAMPLE.pool,
            price_usd: '0.0004',
            market_cap_usd: '400000.00',
          },
        ],
        next_cursor: null,
      },
    ],
  },
);

const Transaction = wireRecord<LinkTransaction>()({
  slot: [nullable(integer), 'slot', 'Null where evidence names the signature alone.'],
  signature: [text, 'signature', 'Transaction signature.'],
  sol_amount: [nullable(sol), 'lamports', 'SOL of a payment; null for tokens.'],
  token_address: [
    nullable(address),
    'mint',
    'Mint of a transfer, a purchase, or the classification; null for a payment.',
  ],
  token_amount: [
    nullable(decimal),
    ({ amountRaw, decimals }) => formatTokens(amountRaw, decimals),
    'Whole tokens of a transfer or purchase; null for a payment and for evidence.',
  ],
});

const Link = wireRecord<WalletLink>()({
  wallet_address: [address, 'wallet', 'The other wallet.'],
  kind: [
    word(LINK_KINDS),
    'kind',
    'funded_by, funded: SOL from or to it; received_tokens, sent_tokens: tokens from or to it; ' +
      'follows: this wallet bought at least three tokens right after it; same_finding: a reported ' +
      'classification involves both.',
  ],
  class: [
    maybeWord([...ADDRESS_CLASSES, 'hub']),
    'class',
    'Known class of the other address; null for an ordinary wallet.',
  ],
  strength: [
    rounded(4),
    'strength',
    'From 0 to 1. Of payments and transfers: the share of all recorded ones of the kind. Of ' +
      'follows: n / (n + 3) for n tokens. Of same_finding: the highest confidence.',
  ],
  transactions: [
    list(Transaction),
    'transactions',
    'Recorded transactions, oldest first. Of follows: of the newest 8 purchases that followed, among ' +
      'the 16 newest tokens, the first purchase of the token by the other wallet and that by this ' +
      'one. Of same_finding: the first 16 of the evidence, those that name both wallets first.',
  ],
  classification_ids: [
    list(uuid),
    'findings',
    'Classifications that involve both; their graphs have all transactions.',
  ],
});

export const WalletLinksBody = wireRecord<LinkPage, ListContext<LinkCursor>>()(
  {
    wallet_address: [address, (_, { wallet }) => wallet],
    links: [list(Link), 'links', 'Strongest first; ties by kind and address.'],
    next_cursor: [nullable(text), ({ next }, { write }) => next && write(next), NEXT],
  },
  {
    description: 'One page of links.',
    headers: FRESHNESS_HEADERS,
    examples: [
      {
        wallet_address: EXAMPLE.wallet,
        links: [
          {
            wallet_address: EXAMPLE.creator,
            kind: 'funded_by',
            class: null,
            strength: '1.0000',
            transactions: [
              {
                slot: EXAMPLE.slot,
                signature: EXAMPLE.signature,
                sol_amount: '2.500000000',
                token_address: null,
                token_amount: null,
              },
            ],
            classification_ids: [],
          },
        ],
        next_cursor: null,
      },
    ],
  },
);
