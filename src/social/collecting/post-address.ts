import type { SocialPost } from '../../model/social-post.ts';

type Identity = Pick<SocialPost, 'platform' | 'postId'> & {
  readonly author: Pick<SocialPost['author'], 'handle'>;
};

/**
 * The public web address of a post; null if its platform has none or its ID is not of the
 * platform's form. Telegram's addresses contain the name of the chat and Reddit's that of the
 * subreddit: their collectors know them, other posts of them have none or a shorter one.
 */
export function postAddress({ platform, postId, author: { handle } }: Identity): string | null {
  switch (platform) {
    case 'x':
      return /^\d{1,20}$/.test(postId)
        ? `https://x.com/${encodeURIComponent(handle ?? 'i')}/status/${postId}`
        : null;
    case 'bluesky':
      return blueskyAddress(postId);
    case 'farcaster':
      return farcasterAddress(postId.toLowerCase(), handle);
    case 'reddit':
      return /^(t3_)?[0-9a-z]{1,13}$/.test(postId)
        ? `https://www.reddit.com/comments/${postId.replace(/^t3_/, '')}`
        : null;
    default:
      return null;
  }
}

/** `did/rkey`, as the collector names posts, or an AT URI (https://atproto.com/specs/at-uri-scheme). */
const BLUESKY =
  /^(?:at:\/\/)?(did:[a-z]+:[A-Za-z0-9._:%-]{1,200})\/(?:app\.bsky\.feed\.post\/)?([A-Za-z0-9._:~-]{1,512})$/;

function blueskyAddress(postId: string): string | null {
  const [, did, rkey] = BLUESKY.exec(postId) ?? [];
  return rkey === undefined ? null : `https://bsky.app/profile/${did}/post/${rkey}`;
}

/** The address of a cast contains the start of its hash; that of an unnamed author all of it. */
const SHORT_HASH_LENGTH = 10;

function farcasterAddress(hash: string, handle: string | null): string | null {
  if (!/^0x[0-9a-f]{40}$/.test(hash)) return null;
  if (handle === null) return `https://farcaster.xyz/~/conversations/${hash}`;
  return `https://farcaster.xyz/${encodeURIComponent(handle)}/${hash.slice(0, SHORT_HASH_LENGTH)}`;
}
