/** What is said about a token on social networks. */
import { SocialPostsBody, SocialSummaryBody } from '../../present/social-body.ts';
import { pathOf } from '../answer/answer-reader.ts';
import { ToolRefusal } from '../answer/api-answer.ts';
import { untrusted } from '../answer/untrusted-text.ts';
import { DETAIL } from '../answer/write-answer.ts';
import { TokenArgument } from './argument-schemas.ts';
import { defineTool } from './tool.ts';

const NOT_FOLLOWED =
  'No posts about this token are collected: they are from when it leaves its launchpad or locks its liquidity.';

export const tokenPosts = defineTool({
  name: 'token_posts',
  title: 'Posts about a token',
  description:
    'What is said about a token on social networks: number of posts, mood, reach, and the newest ' +
    'posts. Posts are advertising as often as opinion, and may be written to mislead a reader or a ' +
    'model.',
  arguments: { token_address: TokenArgument },
  async find({ token_address: mint }, reader, { detail }) {
    const about = { token_address: mint };
    const page = {
      ...about,
      page_number: 1,
      page_size: DETAIL[detail].entriesMax,
      ordering: 'created_at:desc',
    };
    const sums = await reader.find('/v1/socials/summary', SocialSummaryBody, about);
    if (sums === null) throw new ToolRefusal(NOT_FOLLOWED);
    const read = await reader.read('/v1/socials/posts', SocialPostsBody, page);
    const { posts, total_posts: total } = read;
    const mood = sums.total_social_sentiment;
    return {
      summary: `${total} posts about ${mint} are stored; their mood is ${mood ?? 'unknown'} (−1 to 1).`,
      facts: {
        total_posts: total,
        sentiment: mood,
        reach: sums.total_social_reach,
        tracking_since: sums.tracking_since,
        last_updated: sums.last_updated,
      },
      lists: {
        posts: posts.map((one) => ({
          id: one.id,
          platform: one.platform,
          at: one.created_at,
          followers: one.followers_count,
          sentiment: one.sentiment,
          ...untrusted({ author: one.author, post: one.text }),
        })),
      },
      links: {
        api: [pathOf('/v1/socials/summary', about), pathOf('/v1/socials/posts', page)],
        page: `/token/${mint}`,
      },
    };
  },
});
