import type {
  MinuteValue,
  PostsImport,
  PostsPage,
  PostsQuery,
  SeriesQuery,
  TrackedFigures,
} from '../model/social-reads.ts';
import type { Address } from '../model/units.ts';

/** Social posts and the figures derived from them. */
export interface SocialRepository {
  /** Null for a token whose posts are not collected. */
  tracked(mint: Address): TrackedFigures | null;
  /** One figure per minute for the minutes with posts, oldest first. */
  values(query: SeriesQuery): readonly MinuteValue[];
  posts(query: PostsQuery): PostsPage;
  /** Imports posts as JSON lines; null if there is no capacity for them now. */
  import(lines: Uint8Array): Promise<PostsImport | null>;
}
