import { Type } from 'typebox';
import { ADDRESS_CLASSES } from '../../model/address-registry.ts';
import type { HolderPage, ListedHolder } from '../../model/holder-page.ts';
import type { TokenRecord } from '../../model/token-record.ts';
import { HOLDER_CURSOR } from '../parameters/list-cursors.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import { FRESHNESS_HEADERS } from '../schemas/wire.ts';
import { formatTokens } from './format-wire.ts';
import { STANDING_FIELDS, shareOfSupply } from './standing-body.ts';
import {
  address,
  decimal,
  integer,
  maybeInstant,
  nullable,
  plain,
  text,
  word,
} from './wire-kinds.ts';
import { wireRecord } from './wire-record.ts';

const KINDS = ['wallet', 'hub', ...ADDRESS_CLASSES] as const satisfies readonly Kind[];
type Kind = ListedHolder['holderKind'];

const Holder = wireRecord<ListedHolder, TokenRecord>()({
  holder_address: [address, 'owner'],
  balance: [
    nullable(decimal),
    ({ balanceRaw }, { decimals }) => formatTokens(balanceRaw, decimals),
    'Balance in whole tokens; null if the decimals are unknown.',
  ],
  kind: [word(KINDS), 'holderKind', 'Known class of the holder; wallet if nothing else is known.'],
  created_at: [maybeInstant, 'firstSeenMs'],
  share_of_supply: [
    nullable(decimal),
    ({ balanceRaw }, token) => shareOfSupply(balanceRaw, token),
    'Share of the supply from 0 to 1, with four decimals; null if the supply is unknown.',
  ],
  ...STANDING_FIELDS,
});

export const HoldersBody = wireRecord<HolderPage, TokenRecord>()(
  {
    token_address: [address, (_, { mint }) => mint],
    count: [integer, 'count', 'Number of holders, excluding pools, lockers and burn addresses.'],
    holders: [
      plain(Type.Array(Holder.schema)),
      ({ holders }, token) => holders.map((holder) => Holder.present(holder, token)),
      'Largest balance first; ties by address. Dust balances are excluded.',
    ],
    next_cursor: [
      nullable(text),
      ({ next }, { mint }) => next && HOLDER_CURSOR.write(next, { mint }),
      'Cursor of the next page; null on the last page.',
    ],
  },
  {
    description: 'One page of holders.',
    headers: FRESHNESS_HEADERS,
    examples: [
      {
        token_address: EXAMPLE.mint,
        count: 846,
        holders: [
          {
            holder_address: EXAMPLE.pool,
            balance: '206900000.000000',
            kind: 'pool',
            created_at: EXAMPLE.instant,
            share_of_supply: '0.2069',
            class: null,
            token_rules: [],
            labels: [],
            cluster_id: null,
            first_buy_at: null,
            average_cost_usd: null,
            realised_usd: null,
            unrealised_usd: null,
          },
        ],
        next_cursor: null,
      },
    ],
  },
);
