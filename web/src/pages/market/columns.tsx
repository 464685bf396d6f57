import { formatCount } from '../../format/numbers.ts';
import { Age } from '../../ui/age.tsx';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { ChainText } from '../../ui/chain-text.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Figure } from '../../ui/figure.tsx';
import type { Column } from '../../ui/table.tsx';
import { TokenPicture } from '../../ui/token-picture.tsx';
import type { Window } from './market-query.ts';
import { RowLine } from './row-line.tsx';
import type { Token } from './use-live-tokens.ts';
import type { TokenRow } from './use-undone-tokens.ts';

const STARTING = 'Not known while the service starts';
const UNPRICED = 'Less than 90 % of the volume is priced';
const NO_MINUTE = 'Known at the end of the first minute with a trade';

const TOKEN: Column<TokenRow> = {
  key: 'token',
  title: 'Token',
  cell: (token) => (
    <span class="market-token address-link" title={token.token_address}>
      <TokenPicture
        url={token.picture_url}
        address={token.token_address}
        symbol={token.symbol ?? token.name}
      />
      <span class="market-names">
        <a class="market-symbol" href={`/token/${encodeURIComponent(token.token_address)}`}>
          <ChainText text={token.symbol ?? token.name} lengthMax={16} fallback="(no name)" />
        </a>
        <span class="market-name">
          <ChainText text={token.name} lengthMax={22} fallback="" />
        </span>
      </span>
      {token.isUndone === true && (
        <Badge tone="warning" title="A fork took its launch back">
          taken back
        </Badge>
      )}
      <CopyButton text={token.token_address} label="address" />
    </span>
  ),
};

const AGE: Column<TokenRow> = {
  key: 'age',
  title: 'Age',
  align: 'end',
  sortBy: 'newest',
  isWideOnly: true,
  cell: ({ created_at }) => <Age instant={created_at} />,
};

const RISK: Column<TokenRow> = {
  key: 'risk',
  title: 'Risk',
  hint: 'Highest confidence of a fraud finding, from 0 to 100',
  align: 'end',
  sortBy: 'risk_score',
  cell: ({ token_address, risk_score }) => <RiskBadge address={token_address} score={risk_score} />,
};

const PRICE: Column<TokenRow> = {
  key: 'price',
  title: 'Price',
  align: 'end',
  cell: ({ price_usd }) => <Figure value={price_usd} kind="price" reason="No priced trade yet" />,
};

function windowColumns(window: Window): readonly Column<TokenRow>[] {
  return [
    {
      key: 'line',
      title: 'Line',
      hint: `Price over the last ${window}, or since the launch`,
      isWideOnly: true,
      cell: ({ token_address }) => <RowLine address={token_address} window={window} />,
    },
    {
      key: 'change',
      title: window,
      hint: `Change of the price in ${window}`,
      align: 'end',
      sortBy: 'price_change',
      cell: ({ windows }) => (
        <Figure
          value={windows?.[window].price_change}
          kind="change"
          reason={windows === null ? STARTING : 'No price before and in this window'}
        />
      ),
    },
    {
      key: 'volume',
      title: 'Volume',
      hint: `Volume over all pools in ${window}, in US dollars`,
      align: 'end',
      sortBy: 'volume_usd',
      isWideOnly: true,
      cell: ({ windows }) => (
        <Figure
          value={windows?.[window].volume_usd}
          kind="usd"
          reason={windows === null ? STARTING : UNPRICED}
        />
      ),
    },
    {
      key: 'organic-volume',
      title: 'Organic vol.',
      hint: `Volume of wallets that are not automated, and without wash trades, in ${window}`,
      align: 'end',
      sortBy: 'organic_volume_usd',
      isWideOnly: true,
      cell: ({ windows }) => (
        <Figure
          value={windows?.[window].organic_volume_usd}
          kind="usd"
          reason={windows === null ? STARTING : UNPRICED}
        />
      ),
    },
    {
      key: 'trades',
      title: 'Buys / sells',
      hint: `Purchases and sales in ${window}`,
      align: 'end',
      isWideOnly: true,
      cell: ({ windows }) => <BuysAndSells figures={windows?.[window]} />,
    },
  ];
}

function BuysAndSells({
  figures,
}: {
  readonly figures: NonNullable<Token['windows']>[Window] | undefined;
}) {
  if (figures === undefined) return <Figure value={null} kind="amount" reason={STARTING} />;
  const { buys, sells, buyers, sellers } = figures;
  return (
    <span
      title={`${formatCount(buys)} purchases by ${formatCount(buyers)} wallets, ${formatCount(sells)} sales by ${formatCount(sellers)}`}
    >
      <span class="rising">{formatCount(buys)}</span>
      <span class="market-slash"> / </span>
      <span class="falling">{formatCount(sells)}</span>
    </span>
  );
}

/** What does not depend on the window. */
const STANDING: readonly Column<TokenRow>[] = [
  {
    key: 'trending',
    title: 'Trend',
    hint: 'Organic volume of the last hour over its hourly mean before',
    align: 'end',
    sortBy: 'trending',
    isWideOnly: true,
    cell: ({ trending }) => (
      <Figure value={trending} kind="amount" reason="Fewer than 10 buyers in the last hour" />
    ),
  },
  {
    key: 'marketcap',
    title: 'Market cap',
    align: 'end',
    sortBy: 'marketcap_usd',
    cell: ({ marketcap_usd }) => <Figure value={marketcap_usd} kind="usd" />,
  },
  {
    key: 'liquidity',
    title: 'Liquidity',
    hint: 'Of the primary pool, in US dollars',
    align: 'end',
    sortBy: 'liquidity_usd',
    isWideOnly: true,
    cell: ({ liquidity_usd }) => <Figure value={liquidity_usd} kind="usd" />,
  },
  {
    key: 'holders',
    title: 'Holders',
    hint: 'At the end of the last minute with a trade',
    align: 'end',
    sortBy: 'raw_holders',
    isWideOnly: true,
    cell: ({ raw_holders }) => <Figure value={raw_holders} kind="amount" reason={NO_MINUTE} />,
  },
  {
    key: 'organic',
    title: 'Organic',
    hint: 'Share of wallets that are not automated',
    align: 'end',
    sortBy: 'organic_to_total_wallets_ratio',
    isWideOnly: true,
    cell: (token) => (
      <Figure
        value={token.organic_to_total_wallets_ratio}
        kind="percent"
        reason={token.total_wallets === 0 ? 'No wallet has traded yet' : NO_MINUTE}
      />
    ),
  },
  {
    key: 'smart',
    title: 'Smart',
    hint: 'Smart money score, from 0 to 100',
    align: 'end',
    sortBy: 'smart_money_score',
    isWideOnly: true,
    cell: ({ smart_money_score }) => (
      <Figure value={smart_money_score} kind="amount" reason={NO_MINUTE} />
    ),
  },
];

function RiskBadge({
  address,
  score,
}: {
  readonly address: string;
  readonly score: number | null;
}) {
  if (score === null) return <Figure value={null} kind="amount" reason={STARTING} />;
  if (score === 0) {
    return (
      <span class="unknown" title="No finding">
        0
      </span>
    );
  }
  return (
    <a href={`/token/${encodeURIComponent(address)}?tab=findings`} title="Findings of this token">
      <Badge tone={toneOfRisk(score)}>{score}</Badge>
    </a>
  );
}

/** Bounds of the levels of findings: critical, high, medium (METHODS). */
function toneOfRisk(score: number): Tone {
  if (score >= 70) return 'bad';
  return score >= 50 ? 'warning' : 'neutral';
}

/** Columns of the table, with the figures of one window. The same ones for the same window. */
export function columnsOf(window: Window): readonly Column<TokenRow>[] {
  return COLUMNS[window];
}

const COLUMNS: Readonly<Record<Window, readonly Column<TokenRow>[]>> = {
  '5m': columnsWith('5m'),
  '1h': columnsWith('1h'),
  '6h': columnsWith('6h'),
  '24h': columnsWith('24h'),
};

function columnsWith(window: Window): readonly Column<TokenRow>[] {
  return [TOKEN, AGE, RISK, PRICE, ...windowColumns(window), ...STANDING];
}
