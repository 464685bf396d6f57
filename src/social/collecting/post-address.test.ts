import { expect, it } from 'vitest';
import type { Platform } from '../../model/social-post.ts';
import { postAddress } from './post-address.ts';

const HASH = `0x${'ab'.repeat(20)}`;
const DID = 'did:plc:abcdefghijklmnopqrstuvwx';

it.each<[Platform, string, string | null, string | null]>([
  ['x', '1879500000000000000', 'ann', 'https://x.com/ann/status/1879500000000000000'],
  ['x', '1879500000000000000', null, 'https://x.com/i/status/1879500000000000000'],
  ['x', '12/../evil', 'ann', null],
  ['bluesky', `${DID}/3kabc`, null, `https://bsky.app/profile/${DID}/post/3kabc`],
  [
    'bluesky',
    `at://${DID}/app.bsky.feed.post/3kabc`,
    null,
    `https://bsky.app/profile/${DID}/post/3kabc`,
  ],
  ['bluesky', `at://${DID}/app.bsky.feed.like/3kabc`, null, null],
  ['bluesky', '3kabc', 'ann', null],
  ['farcaster', HASH, 'ann b', `https://farcaster.xyz/ann%20b/${HASH.slice(0, 10)}`],
  ['farcaster', HASH, null, `https://farcaster.xyz/~/conversations/${HASH}`],
  ['farcaster', '0x12', 'ann', null],
  ['reddit', 't3_1abcd', null, 'https://www.reddit.com/comments/1abcd'],
  ['reddit', '1abcd', null, 'https://www.reddit.com/comments/1abcd'],
  // A comment's address contains the submission, which its ID does not name.
  ['reddit', 't1_1abcd', null, null],
  ['telegram', '-100123:7', 'ann', null],
  ['import', '1', 'ann', null],
])('the address of post %s %s by %s is %s', (platform, postId, handle, address) => {
  expect(postAddress({ platform, postId, author: { handle } })).toBe(address);
});
