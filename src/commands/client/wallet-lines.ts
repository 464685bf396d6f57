import type { WalletBody } from '../../api/present/wallet-body.ts';
import type { Wire } from '../../api/present/wire-record.ts';
import { wrapText } from '../../lib/terminal/wrap-text.ts';
import type { Page } from './client-command.ts';
import { NOTHING, shown, shownTime, shownUsd } from './shown.ts';
import { fieldLines, tableLines } from './table.ts';

type Wallet = Wire<typeof WalletBody>;

const POSITIONS_SHOWN = 20;

/** A wallet for people. */
export function walletLines(body: Wallet, { columns, style }: Page): string[] {
  const { automation, positions, position_count: count } = body;
  const newest = positions.slice(0, POSITIONS_SHOWN);
  return [
    style('bold', shown(body.wallet_address)),
    '',
    ...fieldLines(walletFields(body), columns, style),
    ...(automation?.rule_meaning == null
      ? []
      : ['', ...wrapText(shown(automation.rule_meaning), columns)]),
    '',
    ...(newest.length === 0
      ? ['No positions are known.']
      : [
          `Positions, newest first (${newest.length} of ${count}):`,
          ...tableLines(
            [
              { title: 'token' },
              { title: 'value', isNumber: true },
              { title: 'realised', isNumber: true },
              { title: 'symbol' },
            ],
            newest.map(({ token_address, value_usd, realised_usd, symbol }) => [
              shown(token_address),
              shownUsd(value_usd),
              shownUsd(realised_usd),
              shown(symbol),
            ]),
            columns,
            style,
          ),
        ]),
  ];
}

function walletFields({ kind, automation, skill, first_funding: funding }: Wallet) {
  const label = automation === null ? 'never traded' : shown(automation.label);
  const fields: readonly (readonly [string, string])[] = [
    ['known as', shown(kind)],
    ['class', label],
    ['score', shown(automation?.score)],
    ['rule', shown(automation?.rule)],
    ['trades', shown(automation?.trades)],
    ['last trade', shownTime(automation?.last_trade_at)],
    ['skill', skill === null ? NOTHING : `${shown(skill.score)} of 100`],
    ['smart', shown(skill?.is_smart)],
    ['first funded by', shown(funding?.funder_address)],
    ['with', funding === null ? NOTHING : `${shown(funding.solana_amount)} SOL`],
  ];
  return fields;
}
