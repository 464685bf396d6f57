import { nameOf } from '../../../format/names.ts';
import { formatAge, formatTime } from '../../../format/times.ts';
import { nowMs } from '../../../state/clock.ts';
import { AddressLink } from '../../../ui/address-link.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { ChainText } from '../../../ui/chain-text.tsx';
import { Figure, FigureRow, NamedFigure } from '../../../ui/figure.tsx';
import { TokenPicture } from '../../../ui/token-picture.tsx';
import { primaryPool, type Subject } from '../token-types.ts';
import './head.css';
import { RiskBadge } from './risk-badge.tsx';
import { TokenDetails } from './token-details.tsx';
import { WindowsTable } from './windows-table.tsx';

/** What a token is and what it is worth now. */
export function Head({ subject }: { readonly subject: Subject }) {
  const { body, mint } = subject;
  const { token } = body;
  return (
    <section class="panel token-head" aria-label="Token">
      <div class="token-title">
        <TokenPicture
          url={body.picture_url}
          address={mint}
          symbol={token.symbol ?? token.name}
          sizePx={56}
        />
        <div class="token-names">
          <h1>
            <ChainText text={token.symbol} lengthMax={20} fallback="No symbol" />{' '}
            <span class="token-name">
              <ChainText text={token.name} lengthMax={40} fallback="No name" />
            </span>
          </h1>
          <div class="token-line">
            <AddressLink address={mint} kind="other" />
            <Venue subject={subject} />
            <span title={formatTime(token.created_at)}>
              {token.created_at === null
                ? 'Age unknown'
                : `${formatAge(token.created_at, nowMs.value)} old`}
            </span>
          </div>
        </div>
        <RiskBadge subject={subject} />
      </div>
      <div class="token-figures">
        <MarketFigures subject={subject} />
        <WindowsTable listed={subject.listed} />
      </div>
      <TokenDetails subject={subject} />
    </section>
  );
}

function Venue({ subject }: { readonly subject: Subject }) {
  const { listed } = subject;
  const pool = primaryPool(subject);
  const venue = pool?.venue ?? listed?.venue ?? null;
  const launchpad = listed?.launchpad ?? null;
  if (venue === null) return <Badge title="No pool has been seen">No pool</Badge>;
  return (
    <>
      {launchpad !== null && launchpad !== venue && (
        <Badge title="Launched on">{nameOf(launchpad)} →</Badge>
      )}
      <Badge title={launchpad === venue ? 'On the curve of its launchpad' : 'Its primary pool'}>
        {nameOf(venue)}
        {launchpad === venue && (pool?.is_curve_complete === true ? ' · curve full' : ' · curve')}
      </Badge>
    </>
  );
}

const NO_PRICE = 'No trade has set a price that can be converted to dollars';

function MarketFigures({ subject }: { readonly subject: Subject }) {
  const { listed } = subject;
  const pool = primaryPool(subject);
  return (
    <FigureRow>
      <NamedFigure name="Price">
        <Figure value={listed?.price_usd ?? pool?.price_usd} kind="price" reason={NO_PRICE} />
      </NamedFigure>
      <NamedFigure name="Market cap">
        <Figure value={listed?.marketcap_usd ?? pool?.marketcap_usd} kind="usd" reason={NO_PRICE} />
      </NamedFigure>
      <NamedFigure name="Liquidity">
        <Figure
          value={listed?.liquidity_usd ?? pool?.liquidity_usd}
          kind="usd"
          reason="What the primary pool holds is not known"
        />
      </NamedFigure>
      <NamedFigure name="Locked liquidity">
        <Figure
          value={pool?.locked_share}
          kind="percent"
          reason="Not known, or a pool without LP tokens"
        />
      </NamedFigure>
      <NamedFigure name="Holders">
        <Figure value={listed?.raw_holders} kind="amount" reason="Not counted" />
      </NamedFigure>
      <NamedFigure name="Organic wallets">
        <Figure
          value={listed?.organic_to_total_wallets_ratio}
          kind="percent"
          reason="No wallet has traded yet"
        />
      </NamedFigure>
    </FigureRow>
  );
}
