import type { SocialRepository } from '../api/social-repository.ts';
import type { PostEvent } from '../model/social-post.ts';
import type { PostsImport } from '../model/social-reads.ts';
import { readPosts } from '../social/collectors/import/read-posts.ts';
import type { PostsInbox } from '../store/offchain/posts-inbox.ts';
import type { SocialReader } from '../store/offchain/social-reads.ts';

const FAULTS_REPORTED_MAX = 100;

/** Used when no posts are collected. */
export const NO_SOCIAL: SocialRepository = {
  tracked: () => null,
  values: () => [],
  posts: () => ({ posts: [], total: 0 }),
  import: async () => null,
};

/** Reads and imports posts for the API. The inbox is opened at the first import. */
export function createSocialFile(
  reader: SocialReader,
  openInbox: () => PostsInbox,
): SocialRepository {
  let inbox: PostsInbox | null = null;
  return {
    tracked: (mint) => reader.tracked(mint),
    values: (query) => reader.values(query),
    posts: (query) => reader.posts(query),
    async import(lines) {
      const { events, ...outcome } = await readLines(lines);
      inbox ??= openInbox();
      return inbox.put(events) ? outcome : null;
    },
  };
}

async function readLines(
  lines: Uint8Array,
): Promise<PostsImport & { readonly events: readonly PostEvent[] }> {
  const events: PostEvent[] = [];
  const faults: { line: number; message: string }[] = [];
  let refused = 0;
  for await (const batch of readPosts(once(lines), Date.now)) {
    for (const each of batch) {
      if (each.kind === 'event') events.push(each.event);
      else if (refused++ < FAULTS_REPORTED_MAX)
        faults.push({ line: each.line, message: each.message });
    }
  }
  return { events, accepted: events.length, refused, faults };
}

async function* once(lines: Uint8Array): AsyncGenerator<Uint8Array> {
  yield lines;
}
