/** Finds tokens by name, symbol or address, and says what an address is. */
import { type Static, Type } from 'typebox';
import { isBase58Of32Bytes } from '../../../lib/base58.ts';
import { TokenBody } from '../../present/token-body.ts';
import { TokenListBody } from '../../present/token-list-body.ts';
import { WalletBody } from '../../present/wallet-body.ts';
import { TextParameter } from '../../schemas/parameters.ts';
import { AddressText } from '../../schemas/wire.ts';
import { type AnswerReader, pathOf } from '../answer/answer-reader.ts';
import { untrusted } from '../answer/untrusted-text.ts';
import { DETAIL, type ToolAnswer } from '../answer/write-answer.ts';
import { defineTool } from './tool.ts';
import { classText } from './wallet-facts.ts';

type Row = Static<typeof TokenListBody>['items'][number];

const TEXT_MAX = 64;
/** What is read of a pool. */
const PoolToken = Type.Object({ token_address: AddressText });

export const search = defineTool({
  name: 'search',
  title: 'Search tokens and addresses',
  description:
    'Finds tokens whose name or symbol contains a text, those traded most by people first, or says ' +
    'what an address is. Names are not unique: many tokens copy one, so check the mint address with ' +
    'the user.',
  arguments: {
    query: TextParameter({
      description: 'Part of a name or symbol, or an address. There are no wildcards.',
      maxLength: TEXT_MAX,
    }),
  },
  async find({ query }, reader, { detail }) {
    return isBase58Of32Bytes(query)
      ? await ofAddress(query, reader)
      : await ofText(query, reader, DETAIL[detail].entriesMax);
  },
});

async function ofText(text: string, reader: AnswerReader, limit: number): Promise<ToolAnswer> {
  const query = { q: text, order_by: 'organic_volume_24h_usd', limit };
  const { items, total } = await reader.read('/v1/tokens', TokenListBody, query);
  return {
    summary: `${total} tokens have that text in their name or symbol; ${items.length} are listed, those traded most by people in 24 hours first.`,
    facts: { total },
    lists: { tokens: items.map(tokenFacts) },
    links: { api: [pathOf('/v1/tokens', query)], page: '/market' },
  };
}

async function ofAddress(address: string, reader: AnswerReader): Promise<ToolAnswer> {
  const path = { token: `/v1/token/${address}`, pool: `/v1/pools/${address}` };
  const token = await reader.find(path.token, TokenBody.schema);
  if (token !== null) {
    const { name, symbol } = token.token;
    return {
      summary: `${address} is a token: explain_token says what is known of it.`,
      facts: { kind: 'token', ...untrusted({ name, symbol }) },
      links: { api: [path.token], page: `/token/${address}` },
    };
  }
  const pool = await reader.find(path.pool, PoolToken);
  if (pool !== null) {
    const { token_address: mint } = pool;
    return {
      summary: `${address} is a pool of the token ${mint}: explain_token says what is known of it.`,
      facts: { kind: 'pool', token_address: mint },
      links: { api: [path.pool], page: `/token/${mint}` },
    };
  }
  return await ofWallet(address, reader);
}

async function ofWallet(address: string, reader: AnswerReader): Promise<ToolAnswer> {
  const path = `/v1/wallets/${address}`;
  const wallet = await reader.find(path, WalletBody.schema);
  return wallet === null
    ? {
        summary: `The service knows no token, pool or wallet with the address ${address}.`,
        facts: { kind: null },
        links: { api: [], page: null },
      }
    : {
        summary: `${address} ${classText(wallet)}: explain_wallet says what is known of it.`,
        facts: { kind: 'wallet' },
        links: { api: [path], page: `/wallet/${address}` },
      };
}

function tokenFacts(row: Row) {
  return {
    token_address: row.token_address,
    created_at: row.created_at,
    marketcap_usd: row.marketcap_usd,
    liquidity_usd: row.liquidity_usd,
    volume_24h_usd: row.volume_24h_usd,
    risk_score: row.risk_score,
    ...untrusted({ name: row.name, symbol: row.symbol }),
  };
}
