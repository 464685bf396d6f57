/** Finds tokens by name, symbol or address, and says what an address is. */
import type { Static } from 'typebox';
import { isBase58Of32Bytes } from '../../../lib/base58.ts';
import { TokenBody } from '../../present/token-body.ts';
import { TokenListBody } from '../../present/token-list-body.ts';
import { WalletBody } from '../../present/wallet-body.ts';
import { TextParameter } from '../../schemas/parameters.ts';
import { type AnswerReader, pathOf } from '../answer/answer-reader.ts';
import { untrusted } from '../answer/untrusted-text.ts';
import { DETAIL, type ToolAnswer } from '../answer/write-answer.ts';
import { defineTool } from './tool.ts';
import { classText } from './wallet-facts.ts';

type Row = Static<typeof TokenListBody>['items'][number];

const TEXT_MAX = 64;

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
  const found = await reader.find(`/v1/token/${address}`, TokenBody.schema);
  if (found !== null) {
    const { name, symbol } = found.token;
    return {
      summary: `${address} is a token: explain_token says what is known of it.`,
      facts: { kind: 'token', ...untrusted({ name, symbol }) },
      links: { api: [`/v1/token/${address}`], page: `/token/${address}` },
    };
  }
  const wallet = await reader.read(`/v1/wallets/${address}`, WalletBody.schema);
  const isSeen = wallet.kind !== null || wallet.automation !== null || wallet.position_count > 0;
  return {
    summary: isSeen
      ? `${address} is no token; it ${classText(wallet)}: explain_wallet says what is known of it.`
      : `${address} is no token that the service knows, and no wallet that it saw trade.`,
    facts: { kind: isSeen ? 'wallet' : null },
    links: { api: [`/v1/wallets/${address}`], page: `/wallet/${address}` },
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
