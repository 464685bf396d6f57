import { get, isFailure } from '../../api/client.ts';
import { isPending } from '../../state/chain.ts';
import { useRead } from '../../state/use-read.ts';
import { AddressLink } from '../../ui/address-link.tsx';
import { Age } from '../../ui/age.tsx';
import { ChainText } from '../../ui/chain-text.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TokenPicture } from '../../ui/token-picture.tsx';
import { FeedList } from './feed-list.tsx';
import { useFeed } from './use-feed.ts';

interface Launch {
  readonly mint: string;
  readonly symbol: string | null;
  readonly name: string | null;
  readonly creator: string | null;
  readonly createdAt: string | null;
}

/** What the topic `new_tokens` sends of a token that is used here. */
interface StreamedToken {
  readonly token: {
    readonly token_address: string;
    readonly creator_address: string | null;
    readonly name: string | null;
    readonly symbol: string | null;
    readonly created_at: string | null;
  };
}

const READ_MAX = 25;
/** Pictures are gathered after the launch. */
const PICTURES_EVERY_MS = 10_000;

async function read(signal: AbortSignal) {
  const answer = await get('/v1/tokens', { order_by: 'newest', limit: READ_MAX }, { signal });
  if (isFailure(answer)) return answer;
  const ok = answer.ok.items.map(
    (token): Launch => ({
      mint: token.token_address,
      symbol: token.symbol,
      name: token.name,
      creator: token.creator_address,
      createdAt: token.created_at,
    }),
  );
  return { ...answer, ok };
}

/** Mints without a name are mostly those of liquidity; the list of tokens leaves them out too. */
function launchOf({ token }: StreamedToken): Launch | null {
  const { token_address: mint, symbol, name, creator_address: creator } = token;
  if (symbol === null && name === null) return null;
  return { mint, symbol, name, creator, createdAt: token.created_at };
}

/** Tokens as they are created. */
export function Launches() {
  const feed = useFeed<Launch, StreamedToken>({
    topic: 'new_tokens',
    read,
    itemOf: launchOf,
    idOf: ({ mint }) => mint,
    idOfData: ({ token }) => token.token_address,
  });
  const pictures = usePictures();
  return (
    <Panel title="New launches" isFlush>
      <FeedList
        label="New launches"
        feed={feed}
        empty="No token has been created yet."
        keyOf={({ mint }) => mint}
        isPendingAt={isPending}
      >
        {({ mint, symbol, name, creator, createdAt }) => (
          <>
            <span class="feed-line">
              <TokenPicture
                url={pictures.get(mint) ?? null}
                address={mint}
                symbol={symbol ?? name}
              />
              <a class="feed-subject" href={`/token/${encodeURIComponent(mint)}`}>
                <ChainText text={symbol ?? name} lengthMax={14} fallback="(no name)" />
              </a>
              <span class="market-name">
                <ChainText text={name} lengthMax={24} fallback="" />
              </span>
              <span class="feed-end">
                <Age instant={createdAt} />
              </span>
            </span>
            {creator !== null && (
              <span class="feed-line feed-note">
                by <AddressLink address={creator} kind="wallet" />
              </span>
            )}
          </>
        )}
      </FeedList>
    </Panel>
  );
}

/** Paths of the pictures of the newest tokens by mint, as far as they are known. */
function usePictures(): ReadonlyMap<string, string> {
  const newest = { order_by: 'newest', limit: READ_MAX } as const;
  const { body } = useRead('/v1/tokens', newest, { everyMs: PICTURES_EVERY_MS });
  const pictures = new Map<string, string>();
  for (const { token_address, picture_url } of body?.items ?? []) {
    if (picture_url !== null) pictures.set(token_address, picture_url);
  }
  return pictures;
}
