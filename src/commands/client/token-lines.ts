import type { TokenBody } from '../../api/present/token-body.ts';
import type { Wire } from '../../api/present/wire-record.ts';
import { wrapText } from '../../lib/terminal/wrap-text.ts';
import type { Page } from './client-command.ts';
import { NOTHING, shown, shownTime, shownUsd } from './shown.ts';
import { fieldLines, tableLines } from './table.ts';

type Token = Wire<typeof TokenBody>;

const HOLDERS_SHOWN = 10;

/** A token for people. */
export function tokenLines(body: Token, { columns, style }: Page): string[] {
  const { token, holders } = body;
  const largest = holders.slice(0, HOLDERS_SHOWN);
  return [
    ...wrapText(`${shown(token.symbol)}  ${shown(token.name)}`, columns).map((line) =>
      style('bold', line),
    ),
    '',
    ...fieldLines(tokenFields(body), columns, style),
    '',
    ...(largest.length === 0
      ? ['No holders are known.']
      : [
          `Largest holders (${largest.length} of ${holders.length} listed):`,
          ...tableLines(
            [{ title: 'holder' }, { title: 'pool' }, { title: 'balance', isNumber: true }],
            largest.map(({ holder_address, is_lp, balance }) => [
              shown(holder_address),
              is_lp ? 'yes' : '',
              shown(balance),
            ]),
            columns,
            style,
          ),
        ]),
  ];
}

function tokenFields({ token, metadata, liquidity_event, social_links }: Token) {
  const fields: [string, string][] = [
    ['address', shown(token.token_address)],
    ['creator', shown(token.creator_address)],
    ['created', `${shownTime(token.created_at)}, slot ${shown(token.creation_slot)}`],
    ['supply', shown(token.total_supply)],
    ['decimals', shown(token.decimals)],
    ['mint authority', shown(token.mint_authority_address)],
    ['freeze authority', shown(token.freeze_authority_address)],
    ['first liquidity', liquidityText(liquidity_event)],
    ['pool', shown(liquidity_event?.pair_address)],
    ['metadata', shown(metadata.uri)],
    ['can change', shown(metadata.is_mutable)],
    ['description', shown(metadata.uri_metadata?.description)],
  ];
  const links = social_links.map(({ platform, url, status_code }): [string, string] => [
    shown(platform),
    `${shown(url)} (status ${shown(status_code)})`,
  ]);
  return [...fields, ...(links.length === 0 ? [['links', NOTHING] as const] : links)];
}

function liquidityText(event: Token['liquidity_event']): string {
  if (event === null) return NOTHING;
  const { initial_liquidity_solana_amount: sol, initial_liquidity_value_usd: usd } = event;
  return `${shown(sol)} SOL, ${shownUsd(usd)}, ${shownTime(event.block_time_at)}`;
}
