import type { BodyOf } from '../../../api/client.ts';
import { nameOf } from '../../../format/names.ts';
import { formatCount } from '../../../format/numbers.ts';
import { formatAge, formatTime } from '../../../format/times.ts';
import { nowMs } from '../../../state/clock.ts';
import { choiceInQuery, query, setQuery } from '../../../state/router.ts';
import { useRead } from '../../../state/use-read.ts';
import { Badge } from '../../../ui/badge.tsx';
import { ChainText } from '../../../ui/chain-text.tsx';
import { Button, Segments } from '../../../ui/controls.tsx';
import { ExternalLink } from '../../../ui/external-link.tsx';
import { Figure } from '../../../ui/figure.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { ReadView } from '../../../ui/read-view.tsx';
import { Empty } from '../../../ui/states.tsx';

type Post = BodyOf<'/v1/socials/posts'>['posts'][number];

const PAGE_SIZE = 20;
const TEXT_MAX = 600;

/** The posts themselves: text of others, shown as it is and never followed. */
export function PostsPanel({ mint }: { readonly mint: string }) {
  const page = Math.max(1, Number.parseInt(query.value.get('post_page') ?? '1', 10) || 1);
  const order = choiceInQuery('order', ['created_at', 'followers_count']);
  const read = useRead('/v1/socials/posts', {
    token_address: mint,
    page_number: page,
    page_size: PAGE_SIZE,
    ordering: `${order}:desc`,
  });
  return (
    <Panel
      title="Posts"
      actions={
        <Segments
          label="Order"
          value={order}
          options={[
            { value: 'created_at', title: 'Newest' },
            { value: 'followers_count', title: 'Most followers' },
          ]}
          onChange={(value) =>
            setQuery({ order: value === 'created_at' ? null : value, post_page: null })
          }
        />
      }
    >
      <ReadView read={read} rows={8}>
        {({ posts, total_posts, total_pages }) => (
          <>
            {posts.length === 0 && <Empty>No post was counted.</Empty>}
            <ul class="posts">
              {posts.map((post) => (
                <PostItem key={post.id} post={post} />
              ))}
            </ul>
            <p class="list-more">
              {formatCount(total_posts)} posts, page {page} of {Math.max(1, total_pages)}{' '}
              <Button
                isDisabled={page <= 1}
                onClick={() => setQuery({ post_page: String(page - 1) })}
              >
                Back
              </Button>{' '}
              <Button
                isDisabled={page >= total_pages}
                onClick={() => setQuery({ post_page: String(page + 1) })}
              >
                Next
              </Button>
            </p>
          </>
        )}
      </ReadView>
    </Panel>
  );
}

function PostItem({ post }: { readonly post: Post }) {
  const { platform, author, followers_count, text, url, sentiment, created_at } = post;
  return (
    <li>
      <p class="post-head">
        <strong>
          <ChainText text={author} lengthMax={40} />
        </strong>
        <Badge>{nameOf(platform)}</Badge>
        <span title="Followers when it was written">
          <Figure value={followers_count} kind="amount" reason="The platform does not say" />{' '}
          followers
        </span>
        <span
          class={sentiment < 0 ? 'falling' : sentiment > 0 ? 'rising' : ''}
          title="Mood from −1 to 1"
        >
          {sentiment.toFixed(2).replace('-', '−')}
        </span>
        <span title={formatTime(created_at)}>{formatAge(created_at, nowMs.value)} ago</span>
        {url !== null && <ExternalLink url={url} />}
      </p>
      <p>
        <ChainText text={text} lengthMax={TEXT_MAX} />
      </p>
    </li>
  );
}
