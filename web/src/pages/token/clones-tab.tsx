import type { ComponentChildren } from 'preact';
import type { BodyOf } from '../../api/client.ts';
import { formatAge, formatTime } from '../../format/times.ts';
import { nowMs } from '../../state/clock.ts';
import { AddressLink } from '../../ui/address-link.tsx';
import { Badge } from '../../ui/badge.tsx';
import { ChainText } from '../../ui/chain-text.tsx';
import { Button } from '../../ui/controls.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { TokenPicture } from '../../ui/token-picture.tsx';
import type { TokenBody } from './token-types.ts';
import { useCursorList } from './use-cursor-list.ts';

type Clone = BodyOf<'/v1/token/{token_address}/clones'>['clones'][number];

const MATCHES: Readonly<Record<Clone['matches'][number], string>> = {
  uri: 'Same metadata address',
  document: 'Same metadata document',
  picture: 'Same picture',
};

/** Tokens that look like this one, beside it. */
export function ClonesTab({ mint, body }: { readonly mint: string; readonly body: TokenBody }) {
  const list = useCursorList(
    '/v1/token/{token_address}/clones',
    { token_address: mint },
    ({ clones, next_cursor }) => ({ items: clones, next: next_cursor }),
  );
  const { items, failure, hasMore, loadMore, isLoading, reload } = list;
  if (items === null) {
    return failure === null ? <Loading rows={6} /> : <Failed failure={failure} onRetry={reload} />;
  }
  return (
    <Panel title="Tokens that look alike">
      {items.length === 0 ? (
        <Empty>No other token with this picture or metadata is known.</Empty>
      ) : (
        <ul class="clones">
          <Card
            picture={body.picture_url}
            token={{ ...body.token }}
            createdAt={body.token.created_at}
          >
            <Badge tone="accent">This token</Badge>
          </Card>
          {items.map((clone) => (
            <CloneCard
              key={clone.token_address}
              clone={clone}
              ownCreatedAt={body.token.created_at}
            />
          ))}
        </ul>
      )}
      {hasMore && (
        <p class="list-more">
          <Button onClick={loadMore} isDisabled={isLoading}>
            Show more
          </Button>
        </p>
      )}
    </Panel>
  );
}

function CloneCard({
  clone,
  ownCreatedAt,
}: {
  readonly clone: Clone;
  readonly ownCreatedAt: string | null;
}) {
  const { matches, picture_distance: distance, created_at } = clone;
  const isOlder = created_at !== null && ownCreatedAt !== null && created_at < ownCreatedAt;
  return (
    <Card picture={clone.picture_url} token={clone} createdAt={created_at}>
      {created_at !== null && ownCreatedAt !== null && (
        <Badge tone={isOlder ? 'warning' : 'neutral'}>
          {isOlder ? 'Older than this token' : 'Newer than this token'}
        </Badge>
      )}
      {matches.map((match) => (
        <Badge
          key={match}
          title={
            match === 'picture' && distance !== null
              ? `${distance} of 64 bits of the picture's hash differ`
              : MATCHES[match]
          }
        >
          {match === 'picture' && distance !== null && distance > 0
            ? 'Similar picture'
            : MATCHES[match]}
        </Badge>
      ))}
    </Card>
  );
}

function Card({
  picture,
  token,
  createdAt,
  children,
}: {
  readonly picture: string | null;
  readonly token: {
    readonly token_address: string;
    readonly name: string | null;
    readonly symbol: string | null;
  };
  readonly createdAt: string | null;
  readonly children: ComponentChildren;
}) {
  return (
    <li class="clone">
      <TokenPicture
        url={picture}
        address={token.token_address}
        symbol={token.symbol ?? token.name}
        sizePx={96}
      />
      <div>
        <p class="clone-name">
          <a href={`/token/${token.token_address}`}>
            <ChainText text={token.symbol} lengthMax={20} fallback="No symbol" />
          </a>{' '}
          <ChainText text={token.name} lengthMax={40} fallback="" />
        </p>
        <p>
          <AddressLink address={token.token_address} kind="token" />{' '}
          <span title={formatTime(createdAt)}>
            {createdAt === null ? 'age unknown' : `${formatAge(createdAt, nowMs.value)} old`}
          </span>
        </p>
        <p class="clone-badges">{children}</p>
      </div>
    </li>
  );
}
