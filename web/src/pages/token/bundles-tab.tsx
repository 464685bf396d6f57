import { formatCount, formatPercent, formatPrice } from '../../format/numbers.ts';
import { formatTime } from '../../format/times.ts';
import { query, setQuery } from '../../state/router.ts';
import { useRead } from '../../state/use-read.ts';
import { AddressLink } from '../../ui/address-link.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/controls.tsx';
import { Figure } from '../../ui/figure.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ReadView } from '../../ui/read-view.tsx';
import { Empty } from '../../ui/states.tsx';
import type { BundleItem } from './candles/events.ts';
import { sumDecimals } from './sum-decimals.ts';

const PER_PAGE = 20;

const LEVELS: Readonly<Record<BundleItem['level'], string>> = {
  L1: 'One transaction in which several owners buy',
  L2: 'Neighbouring transactions of several owners with one tip between them',
  L2o: 'Right behind the launch, of several owners with sizes alike',
  L3: 'In one or two slots, of owners who are linked pairwise',
  exact: 'One bundle, as a bundle explorer names it',
};

/** Transactions that were placed together. */
export function BundlesTab({ mint }: { readonly mint: string }) {
  const page = Math.max(1, Number.parseInt(query.value.get('bundles') ?? '1', 10) || 1);
  const read = useRead('/v1/market/bundled-transactions', {
    token_address: mint,
    group: 'true',
    page,
    per_page: PER_PAGE,
  });
  const { answer } = read;
  // The specification answers 404 where there are none.
  if (answer !== null && 'error' in answer && answer.error === 404) {
    return (
      <Panel title="Bundles">
        <Empty>No transactions of this token were placed together.</Empty>
      </Panel>
    );
  }
  return (
    <Panel title="Bundles">
      <p class="token-note">
        Transactions that were placed together, recognised by their order in the slot and the tip
        between them. Independent buyers land next to each other as well, but each pays its own tip.
      </p>
      <ReadView read={read} rows={8}>
        {({ items, total, pages }) => (
          <>
            {items.flatMap((item) =>
              'members' in item ? <Bundle key={keyOf(item)} bundle={item} /> : [],
            )}
            {items.length === 0 && <Empty>No bundle on this page.</Empty>}
            <p class="list-more">
              {formatCount(total)} bundles, page {page} of {Math.max(1, pages)}{' '}
              <Button
                isDisabled={page <= 1}
                onClick={() => setQuery({ bundles: String(page - 1) })}
              >
                Newer
              </Button>{' '}
              <Button
                isDisabled={page >= pages}
                onClick={() => setQuery({ bundles: String(page + 1) })}
              >
                Older
              </Button>
            </p>
          </>
        )}
      </ReadView>
    </Panel>
  );
}

function keyOf({ slot, members }: BundleItem): string {
  return `${slot} ${members[0]?.transaction_id ?? ''}`;
}

function Bundle({ bundle }: { readonly bundle: BundleItem }) {
  const { slot, timestamp, level, certainty, tip, members } = bundle;
  const buys = members.filter(({ side }) => side === 'buy');
  const sells = members.filter(({ side }) => side === 'sell');
  return (
    <details class="bundle" open={members.length <= 5 ? true : undefined}>
      <summary>
        <span>Slot {formatCount(slot)}</span>
        <span>{formatTime(timestamp)}</span>
        <Badge tone="warning" title={LEVELS[level]}>
          {level} · {formatPercent(String(certainty), { digits: 0 })}
        </Badge>
        <span>
          {buys.length > 0 && <Side members={buys} word="bought" tone="rising" />}
          {sells.length > 0 && <Side members={sells} word="sold" tone="falling" />}
        </span>
        <span title="Tips to Jito accounts">tip {formatPrice(tip)} SOL</span>
      </summary>
      <p class="token-note">{LEVELS[level]}.</p>
      <ul class="bond-transactions">
        {members.map(({ transaction_id, signing_address, solana_amount, side }) => (
          <li key={`${transaction_id} ${signing_address}`}>
            <AddressLink address={signing_address} kind="wallet" />
            <span class={side === 'buy' ? 'rising' : 'falling'}>{side}</span>
            <span>
              <Figure value={solana_amount} kind="amount" /> SOL
            </span>
            <AddressLink address={transaction_id} kind="other" />
          </li>
        ))}
      </ul>
    </details>
  );
}

function Side({
  members,
  word,
  tone,
}: {
  readonly members: BundleItem['members'];
  readonly word: string;
  readonly tone: 'rising' | 'falling';
}) {
  const wallets = new Set(members.map(({ signing_address }) => signing_address)).size;
  return (
    <span class={tone}>
      {wallets} {wallets === 1 ? 'wallet' : 'wallets'} {word} for{' '}
      <Figure value={sumDecimals(members.map((one) => one.solana_amount))} kind="amount" /> SOL{' '}
    </span>
  );
}
